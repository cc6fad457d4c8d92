/* The reading commands of in-rootfs: they run where / is the container's root, and all they can see is the container's. */
#include "in-rootfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Where `path` leads in the end; what is not there stays as it is. False where links never end or the path grows too long. */
static bool resolve(const char *path, char resolved[PATH_MAX]) {
  char rest[PATH_MAX], joined[PATH_MAX], link[PATH_MAX];
  int links = 0;
  if (strlen(path) >= sizeof rest) return false;
  strcpy(rest, path);
  *resolved = 0;
  for (char *part = rest; *part;) {
    size_t lead = strspn(part, "/"), length = strcspn(part + lead, "/"), have = strlen(resolved);
    char *name = part + lead, *after = name + length;
    part = after;
    if (length == 0 || (length == 1 && *name == '.')) continue;
    if (length == 2 && name[0] == '.' && name[1] == '.') {
      char *cut = strrchr(resolved, '/');
      if (cut) *cut = 0;
      continue;
    }
    if (have + 1 + length >= PATH_MAX) return false;
    sprintf(resolved + have, "/%.*s", (int)length, name);
    ssize_t size = readlink(resolved, link, sizeof link - 1);
    if (size < 0) continue;
    link[size] = 0;
    if (++links > 40 || (size_t)size + strlen(after) >= sizeof joined) return false;
    resolved[*link == '/' ? 0 : have] = 0;
    sprintf(joined, "%s%s", link, after);
    strcpy(rest, joined);
    part = rest;
  }
  if (!*resolved) strcpy(resolved, "/");
  return true;
}

void put_stat(const struct stat *info, const char *target) {
  printf("%o %lld %lld %ld %s", info->st_mode, (long long)info->st_size, (long long)info->st_mtim.tv_sec, info->st_mtim.tv_nsec, target);
  putchar(0);
}

void print_stat(const char *path) {
  struct stat info;
  char target[PATH_MAX] = "";
  if (lstat(path, &info)) fail_errno(path);
  if (S_ISLNK(info.st_mode) && !resolve(path, target)) *target = 0;
  put_stat(&info, target);
}

/* The name of the entry at hand, grown and cut as the walk goes down and up. */
static char *entry_name;
static size_t entry_room;

static void name_entry(size_t kept, const char *part, const char *end) {
  size_t need = kept + strlen(part) + strlen(end) + 1;
  if (need > entry_room) entry_name = must(realloc(entry_name, entry_room = need * 2));
  sprintf(entry_name + kept, "%s%s", part, end);
}

/* Files with several names: the first is archived, the others refer to it. */
struct seen {
  dev_t dev;
  ino_t ino;
  char *name;
};
static struct seen *seen;
static size_t seen_count, seen_room;

static struct seen *seen_slot(struct seen *table, size_t room, dev_t dev, ino_t ino) {
  size_t at = (ino * 0x9E3779B97F4A7C15ULL ^ dev) & (room - 1);
  while (table[at].name && (table[at].ino != ino || table[at].dev != dev)) at = (at + 1) & (room - 1);
  return &table[at];
}

/* The name under which the file was archived already; NULL, and it is remembered, where it was not. */
static const char *seen_before(const struct stat *info) {
  if (seen_count * 2 >= seen_room) {
    size_t room = seen_room ? seen_room * 2 : 1024;
    struct seen *grown = must(calloc(room, sizeof *grown));
    for (size_t i = 0; i < seen_room; i++)
      if (seen[i].name) *seen_slot(grown, room, seen[i].dev, seen[i].ino) = seen[i];
    free(seen);
    seen = grown;
    seen_room = room;
  }
  struct seen *slot = seen_slot(seen, seen_room, info->st_dev, info->st_ino);
  if (slot->name) return slot->name;
  *slot = (struct seen){info->st_dev, info->st_ino, must(strdup(entry_name))};
  seen_count++;
  return NULL;
}

static void put_file(int folder, const char *name) {
  struct stat info;
  int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  /* It went, or became something else, since it was listed. */
  if (file < 0 && (errno == ENOENT || errno == ELOOP || errno == ENXIO)) return;
  if (file < 0 || fstat(file, &info)) fail_errno(entry_name);
  if (S_ISREG(info.st_mode)) {
    const char *first = info.st_nlink > 1 ? seen_before(&info) : NULL;
    put_entry(entry_name, &info, first ? '1' : '0', first ? first : "", file);
    if (!first) put_content(entry_name, file, (uint64_t)info.st_size);
  }
  close(file);
}

static void put_named(int folder, const char *name, size_t kept);

/* By name, as Go walks. */
static void put_folder(int opened, size_t kept) {
  struct dirent **items;
  int count = scandirat(opened, ".", &items, NULL, alphasort);
  if (count < 0) fail_errno(entry_name);
  for (int i = 0; i < count; i++) {
    if (strcmp(items[i]->d_name, ".") && strcmp(items[i]->d_name, "..")) put_named(opened, items[i]->d_name, kept);
    free(items[i]);
  }
  free(items);
  close(opened);
}

static void put_named(int folder, const char *name, size_t kept) {
  /* Not on the stack: it is as deep as the container's folders are. */
  static char link[PATH_MAX];
  struct stat info;
  name_entry(kept, name, "");
  if (fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW)) {
    if (errno == ENOENT) return;
    fail_errno(entry_name);
  }
  if (S_ISREG(info.st_mode)) put_file(folder, name);
  else if (S_ISDIR(info.st_mode)) {
    int opened = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (opened < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP)) return;
    if (opened < 0 || fstat(opened, &info)) fail_errno(entry_name);
    name_entry(kept, name, "/");
    put_entry(entry_name, &info, '5', "", -1);
    put_folder(opened, strlen(entry_name));
  } else if (S_ISLNK(info.st_mode)) {
    ssize_t size = readlinkat(folder, name, link, sizeof link - 1);
    if (size < 0) return;
    link[size] = 0;
    put_entry(entry_name, &info, '2', link, -1);
  } else if (S_ISCHR(info.st_mode)) put_entry(entry_name, &info, '3', "", -1);
  else if (S_ISBLK(info.st_mode)) put_entry(entry_name, &info, '4', "", -1);
  else if (S_ISFIFO(info.st_mode)) put_entry(entry_name, &info, '6', "", -1);
  /* A socket is nothing without its process, and tar has no word for it. */
}

/* PATH may end in a slash or `/.`: then a link is followed. Its entry has NAME in place of the path. */
void read_tree(const char *path, const char *name) {
  struct stat info;
  print_stat(path);
  int opened = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (path[strlen(path) - 1] == '/' ? 0 : O_NOFOLLOW));
  if (opened >= 0) {
    if (fstat(opened, &info)) fail_errno(path);
    name_entry(0, name, "/");
    put_entry(entry_name, &info, '5', "", -1);
    put_folder(opened, strlen(entry_name));
  } else {
    char *folder = must(strdup(path)), *slash = strrchr(folder, '/');
    if (!slash || !slash[1]) fail_errno(path);
    *slash = 0;
    int parent = open(*folder ? folder : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (parent < 0) fail_errno(path);
    /* It is its own name: what is not a folder is never asked for by another. */
    put_named(parent, slash + 1, 0);
    free(folder);
  }
  end_archive();
}

void export_tree(void) {
  print_stat("/");
  int opened = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) fail_errno("/");
  name_entry(0, "", "");
  put_folder(opened, 0);
  end_archive();
}

/* What one file counts: as Docker shows sizes, or as it takes of the disk. */
typedef uint64_t (*measure)(const struct stat *);

static uint64_t content_of(const struct stat *info) {
  return S_ISDIR(info->st_mode) || info->st_size < 0 ? 0 : (uint64_t)info->st_size;
}

/* An empty file takes an inode, of which a file system has a limited number, too. */
static uint64_t usage_of(const struct stat *info) {
  uint64_t bytes = (uint64_t)info->st_blocks * 512;
  return bytes < 4096 ? 4096 : bytes;
}

static uint64_t measure_below(int opened, measure count) {
  uint64_t size = 0;
  struct stat info;
  DIR *listing = must(fdopendir(opened));
  for (struct dirent *item; (errno = 0, item = readdir(listing));) {
    if (!strcmp(item->d_name, ".") || !strcmp(item->d_name, "..")) continue;
    if (fstatat(opened, item->d_name, &info, AT_SYMLINK_NOFOLLOW)) {
      if (errno == ENOENT) continue;
      fail_errno(item->d_name);
    }
    if (S_ISDIR(info.st_mode)) {
      size += count(&info);
      int below = openat(opened, item->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      if (below >= 0) size += measure_below(below, count);
      else if (errno != ENOENT && errno != ENOTDIR && errno != ELOOP) fail_errno(item->d_name);
    } else if (info.st_nlink < 2 || !seen_before(&info)) size += count(&info);
  }
  if (errno) fail_errno("/");
  closedir(listing);
  return size;
}

static void print_measured(measure count) {
  /* One descriptor for each level of a tree that a container may make deep. */
  struct rlimit files;
  if (!getrlimit(RLIMIT_NOFILE, &files)) {
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
  }
  int opened = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) fail_errno("/");
  name_entry(0, "", "");
  printf("%llu", (unsigned long long)measure_below(opened, count));
}

void print_size(void) {
  print_measured(content_of);
}

void print_usage(void) {
  /* Nobody waits for it. 3 << 13 is ioprio's idle class, 1 a process; both may fail. */
  setpriority(PRIO_PROCESS, 0, 19);
  syscall(SYS_ioprio_set, 1, 0, 3 << 13);
  print_measured(usage_of);
}

void print_existence(void) {
  char *path = NULL;
  size_t room = 0;
  struct stat info;
  while (getdelim(&path, &room, 0, stdin) > 0) putchar(lstat(path, &info) ? '0' : '1');
  free(path);
}

static void list_below(int opened, size_t kept) {
  struct stat info;
  DIR *listing = must(fdopendir(opened));
  for (struct dirent *item; (errno = 0, item = readdir(listing));) {
    if (!strcmp(item->d_name, ".") || !strcmp(item->d_name, "..")) continue;
    name_entry(kept, item->d_name, "");
    if (fstatat(opened, item->d_name, &info, AT_SYMLINK_NOFOLLOW)) {
      if (errno == ENOENT) continue;
      fail_errno(entry_name);
    }
    putchar(S_ISCHR(info.st_mode) && info.st_rdev == 0 ? 'D' : 'A');
    fputs(entry_name, stdout);
    putchar(0);
    if (!S_ISDIR(info.st_mode)) continue;
    int below = openat(opened, item->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (below < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP)) continue;
    if (below < 0) fail_errno(entry_name);
    name_entry(kept, item->d_name, "/");
    list_below(below, strlen(entry_name));
  }
  if (errno) fail_errno("/");
  closedir(listing);
}

void list_layer(void) {
  int opened = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) fail_errno("/");
  name_entry(0, "/", "");
  list_below(opened, 1);
}
