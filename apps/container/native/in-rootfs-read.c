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
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { BLOCK = 512 };

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

void print_stat(const char *path) {
  struct stat info;
  char target[PATH_MAX] = "";
  if (lstat(path, &info)) fail_errno(path);
  if (S_ISLNK(info.st_mode) && !resolve(path, target)) *target = 0;
  printf("%o %lld %lld %ld %s", info.st_mode, (long long)info.st_size, (long long)info.st_mtim.tv_sec,
         info.st_mtim.tv_nsec, target);
  putchar(0);
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

static void put(const void *bytes, size_t size) {
  if (fwrite(bytes, 1, size, stdout) != size) fail_errno("stdout");
}

static void pad(uint64_t size) {
  static const char zeros[BLOCK];
  put(zeros, (BLOCK - size % BLOCK) % BLOCK);
}

struct header {
  char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], sum[8], type, link[100], magic[8], user[32], group[32],
      major[8], minor[8], prefix[155], rest[12];
};
_Static_assert(sizeof(struct header) == BLOCK, "a tar header is one block");

static void put_header(struct header *header) {
  memcpy(header->magic, "ustar\0" "00", 8);
  memset(header->sum, ' ', sizeof header->sum);
  unsigned sum = 0;
  for (size_t i = 0; i < BLOCK; i++) sum += ((unsigned char *)header)[i];
  snprintf(header->sum, sizeof header->sum, "%06o", sum);
  put(header, BLOCK);
}

/* Extended records, for what does not fit the header (POSIX pax). */
static char *records;
static size_t records_size;

static void add_record(const char *key, const void *value, size_t size) {
  size_t body = strlen(key) + size + 3, length = body, digits;
  do {
    digits = (size_t)snprintf(NULL, 0, "%zu", length);
    if (length == body + digits) break;
    length = body + digits;
  } while (true);
  records = must(realloc(records, records_size + length + 1));
  char *at = records + records_size;
  at += sprintf(at, "%zu %s=", length, key);
  memcpy(at, value, size);
  at[size] = '\n';
  records_size += length;
}

static void set_text(char *field, size_t room, const char *key, const char *text) {
  size_t length = strlen(text);
  if (length > room) add_record(key, text, length);
  memcpy(field, text, length > room ? room : length);
}

static void set_number(char *field, size_t room, const char *key, int64_t number) {
  char digits[32];
  bool fits = number >= 0 && (uint64_t)number < 1ULL << 3 * (room - 1);
  if (!fits) add_record(key, digits, (size_t)snprintf(digits, sizeof digits, "%lld", (long long)number));
  snprintf(digits, sizeof digits, "%0*llo", (int)room - 1, fits ? (unsigned long long)number : 0);
  memcpy(field, digits, room);
}

static void put_entry(const struct stat *info, char type, const char *link, int file) {
  struct header header = {.type = type};
  char capability[64];
  ssize_t held = file < 0 ? -1 : fgetxattr(file, "security.capability", capability, sizeof capability);
  records_size = 0;
  set_text(header.name, sizeof header.name, "path", entry_name);
  set_text(header.link, sizeof header.link, "linkpath", link);
  set_number(header.mode, sizeof header.mode, "mode", info->st_mode & 07777);
  set_number(header.uid, sizeof header.uid, "uid", info->st_uid);
  set_number(header.gid, sizeof header.gid, "gid", info->st_gid);
  set_number(header.size, sizeof header.size, "size", type == '0' ? info->st_size : 0);
  set_number(header.mtime, sizeof header.mtime, "mtime", info->st_mtim.tv_sec);
  if (type == '3' || type == '4') {
    set_number(header.major, sizeof header.major, "SCHILY.devmajor", major(info->st_rdev));
    set_number(header.minor, sizeof header.minor, "SCHILY.devminor", minor(info->st_rdev));
  }
  if (held > 0) add_record("SCHILY.xattr.security.capability", capability, (size_t)held);
  if (records_size > 0) {
    struct header extended = {.type = 'x', .name = "PaxHeaders.0/entry"};
    set_number(extended.mode, sizeof extended.mode, "", 0644);
    set_number(extended.uid, sizeof extended.uid, "", 0);
    set_number(extended.gid, sizeof extended.gid, "", 0);
    set_number(extended.size, sizeof extended.size, "", (int64_t)records_size);
    set_number(extended.mtime, sizeof extended.mtime, "", 0);
    put_header(&extended);
    put(records, records_size);
    pad(records_size);
  }
  put_header(&header);
}

/* As many bytes as the header says, whatever a process of the container does to the file meanwhile. */
static void put_content(int file, uint64_t size) {
  static char buffer[1 << 16];
  for (uint64_t left = size; left > 0;) {
    ssize_t got = read(file, buffer, left < sizeof buffer ? left : sizeof buffer);
    if (got < 0) fail_errno(entry_name);
    if (got == 0) memset(buffer, 0, (size_t)(got = left < sizeof buffer ? (ssize_t)left : (ssize_t)sizeof buffer));
    put(buffer, (size_t)got);
    left -= (uint64_t)got;
  }
  pad(size);
}

static void put_file(int folder, const char *name) {
  struct stat info;
  int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  /* It went, or became something else, since it was listed. */
  if (file < 0 && (errno == ENOENT || errno == ELOOP || errno == ENXIO)) return;
  if (file < 0 || fstat(file, &info)) fail_errno(entry_name);
  if (S_ISREG(info.st_mode)) {
    const char *first = info.st_nlink > 1 ? seen_before(&info) : NULL;
    put_entry(&info, first ? '1' : '0', first ? first : "", file);
    if (!first) put_content(file, (uint64_t)info.st_size);
  }
  close(file);
}

static void put_named(int folder, const char *name, size_t kept);

static void put_folder(int opened, size_t kept) {
  DIR *listing = must(fdopendir(opened));
  for (struct dirent *item; (errno = 0, item = readdir(listing));)
    if (strcmp(item->d_name, ".") && strcmp(item->d_name, "..")) put_named(dirfd(listing), item->d_name, kept);
  if (errno) fail_errno(entry_name);
  closedir(listing);
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
    put_entry(&info, '5', "", -1);
    put_folder(opened, strlen(entry_name));
  } else if (S_ISLNK(info.st_mode)) {
    ssize_t size = readlinkat(folder, name, link, sizeof link - 1);
    if (size < 0) return;
    link[size] = 0;
    put_entry(&info, '2', link, -1);
  } else if (S_ISCHR(info.st_mode)) put_entry(&info, '3', "", -1);
  else if (S_ISBLK(info.st_mode)) put_entry(&info, '4', "", -1);
  else if (S_ISFIFO(info.st_mode)) put_entry(&info, '6', "", -1);
  /* A socket is nothing without its process, and tar has no word for it. */
}

static void end_archive(void) {
  static const char zeros[2 * BLOCK];
  put(zeros, sizeof zeros);
}

/* PATH may end in a slash or `/.`: then a link is followed. Its entry has NAME in place of the path. */
void read_tree(const char *path, const char *name) {
  struct stat info;
  print_stat(path);
  int opened = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (path[strlen(path) - 1] == '/' ? 0 : O_NOFOLLOW));
  if (opened >= 0) {
    if (fstat(opened, &info)) fail_errno(path);
    name_entry(0, name, "/");
    put_entry(&info, '5', "", -1);
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

void print_existence(void) {
  char *path = NULL;
  size_t room = 0;
  struct stat info;
  while (getdelim(&path, &room, 0, stdin) > 0) putchar(lstat(path, &info) ? '0' : '1');
  free(path);
}
