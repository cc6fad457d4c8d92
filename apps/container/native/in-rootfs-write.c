/*
 * The writing command of in-rootfs. It reads records from stdin:
 *
 *   "TYPE MODE UID GID MTIME SIZE MAJOR MINOR" NUL NAME NUL LINK NUL, then SIZE bytes
 *
 * TYPE is one of f(ile), d(irectory), l(ink, symbolic), h(ard link), c(haracter) and b(lock device), p(ipe); MODE is octal.
 * An x record is no file, but an extended attribute, NAME with those bytes as its value, of the file or directory that comes next.
 * NAME, and LINK of a hard link, are relative to the directory and have no `..`. What comes first stays, whatever comes after.
 */
#include "in-rootfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Bytes of content that are moved at once. */
enum { CONTENT = 1 << 16 };

struct record {
  char type;
  unsigned mode, uid, gid, major, minor;
  long long mtime, size;
  char *name, *link;
  size_t name_room, link_room;
};

/* False at the end of the input. */
static bool read_record(struct record *record) {
  static char *line;
  static size_t room;
  if (getdelim(&line, &room, 0, stdin) <= 0) return false;
  int fields = sscanf(line, "%c %o %u %u %lld %lld %u %u", &record->type, &record->mode, &record->uid, &record->gid,
                      &record->mtime, &record->size, &record->major, &record->minor);
  if (fields != 8 || getdelim(&record->name, &record->name_room, 0, stdin) <= 0 ||
      getdelim(&record->link, &record->link_room, 0, stdin) <= 0)
    fail(FAILED, "in-rootfs: a record was cut");
  return true;
}

/* Takes away whatever has that name, and follows no link. */
static void remove_tree(int folder, const char *name) {
  if (!unlinkat(folder, name, 0) || errno == ENOENT) return;
  if (errno != EISDIR && errno != EPERM) fail_errno(name);
  int opened = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (opened < 0) fail_errno(name);
  DIR *listing = must(fdopendir(opened));
  for (struct dirent *item; (errno = 0, item = readdir(listing));)
    if (strcmp(item->d_name, ".") && strcmp(item->d_name, "..")) remove_tree(dirfd(listing), item->d_name);
  if (errno) fail_errno(name);
  closedir(listing);
  if (unlinkat(folder, name, AT_REMOVEDIR) && errno != ENOENT) fail_errno(name);
}

static void make_parents(char *name) {
  struct stat there;
  char *last = strrchr(name, '/');
  if (!last) return;
  *last = 0;
  bool done = !lstat(name, &there);
  *last = '/';
  if (done) return;
  for (char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    if (mkdir(name, 0755) && errno != EEXIST) fail_errno(name);
    *slash = '/';
  }
}

/* A file in a directory changes the directory's time: the times come last. */
struct folder_time {
  char *name;
  long long mtime;
};
static struct folder_time *folder_times;
static size_t folder_count, folder_room;

static void remember_time(const struct record *record) {
  if (folder_count == folder_room) {
    folder_room = folder_room ? folder_room * 2 : 64;
    folder_times = must(realloc(folder_times, folder_room * sizeof *folder_times));
  }
  folder_times[folder_count++] = (struct folder_time){must(strdup(record->name)), record->mtime};
}

static void set_folder_times(void) {
  while (folder_count > 0) {
    struct folder_time *folder = &folder_times[--folder_count];
    struct timespec times[2] = {{.tv_sec = folder->mtime}, {.tv_sec = folder->mtime}};
    utimensat(AT_FDCWD, folder->name, times, AT_SYMLINK_NOFOLLOW);
    free(folder->name);
  }
}

/* The extended attributes of the next file or directory. */
struct attribute {
  char *name, *value;
  size_t size;
};
static struct attribute attributes[64];
static size_t attribute_count;

static void remember_attribute(const struct record *record) {
  if (attribute_count == sizeof attributes / sizeof *attributes || record->size > 65536)
    fail(INVALID, "too many extended attributes, or too large ones, at %s", record->name);
  struct attribute *attribute = &attributes[attribute_count++];
  size_t size = (size_t)record->size;
  *attribute = (struct attribute){must(strdup(record->name)), must(malloc(size + 1)), size};
  if (fread(attribute->value, 1, size, stdin) != size) fail(FAILED, "in-rootfs: the value of %s was cut", record->name);
}

static void forget_attributes(void) {
  while (attribute_count > 0) {
    struct attribute *attribute = &attributes[--attribute_count];
    free(attribute->name);
    free(attribute->value);
  }
}

/* A file system that has none loses them, as in Docker. */
static void set_attributes(int file) {
  for (size_t i = 0; i < attribute_count; i++)
    if (fsetxattr(file, attributes[i].name, attributes[i].value, attributes[i].size, 0) && errno != ENOTSUP)
      /* ENOSPC and E2BIG speak of the attribute, not of the disk. */
      fail(errno == EIO || errno == ENOMEM ? FAILED : INVALID, "extended attribute %s: %s", attributes[i].name,
           error_text(errno));
}

/* Owner before mode and attributes, since a new owner takes the set-user-id bit and the capabilities away. */
static void set_facts(int file, const struct record *record) {
  struct timespec times[2] = {{.tv_sec = record->mtime}, {.tv_sec = record->mtime}};
  if (fchown(file, record->uid, record->gid) || fchmod(file, record->mode & 07777) || futimens(file, times))
    fail_errno(record->name);
  set_attributes(file);
}

/* A file beside `name` that nobody finds until it is whole; -1 where the file system has none without a name. */
static int open_unnamed(const char *name) {
  if (own_files < 0) return -1;
  char *parent = must(strdup(name)), *slash = strrchr(parent, '/');
  if (slash) *slash = 0;
  int file = open(slash ? parent : ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  free(parent);
  return file;
}

/* Whatever has the name already is replaced at once. */
static void give_name(int file, const char *name) {
  char unnamed[16], *beside;
  snprintf(unnamed, sizeof unnamed, "%d", file);
  if (!linkat(own_files, unnamed, AT_FDCWD, name, AT_SYMLINK_FOLLOW)) return;
  if (errno != EEXIST) fail_errno(name);
  const char *slash = strrchr(name, '/');
  if (asprintf(&beside, "%.*s.berth-%d", slash ? (int)(slash - name) + 1 : 0, name, getpid()) < 0) must(NULL);
  if (linkat(own_files, unnamed, AT_FDCWD, beside, AT_SYMLINK_FOLLOW)) fail_errno(beside);
  if (rename(beside, name)) {
    int error = errno;
    unlink(beside);
    errno = error;
    fail_errno(name);
  }
  free(beside);
}

/* Whole, or not at all: the service may end while the content comes, and takes this program with it. */
static void make_file(const struct record *record) {
  static char buffer[CONTENT];
  int file = open_unnamed(record->name);
  bool named = file < 0;
  if (named) {
    remove_tree(AT_FDCWD, record->name);
    file = open(record->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  }
  if (file < 0) fail_errno(record->name);
  for (long long left = record->size; left > 0;) {
    size_t got = fread(buffer, 1, left < (long long)sizeof buffer ? (size_t)left : sizeof buffer, stdin);
    if (got == 0 && named) unlink(record->name);
    if (got == 0) fail(FAILED, "in-rootfs: the content of %s was cut", record->name);
    for (size_t done = 0; done < got;) {
      ssize_t written = write(file, buffer + done, got - done);
      if (written < 0) fail_errno(record->name);
      done += (size_t)written;
    }
    left -= (long long)got;
  }
  set_facts(file, record);
  if (!named) give_name(file, record->name);
  if (close(file)) fail_errno(record->name);
}

static void make_folder(const struct record *record) {
  if (mkdir(record->name, 0700) && errno != EEXIST) fail_errno(record->name);
  int folder = open(record->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) fail_errno(record->name);
  set_facts(folder, record);
  close(folder);
  remember_time(record);
}

/* What has no content that could be opened: its facts are set by name, of the link itself where it is one. */
static void make_node(const struct record *record) {
  struct timespec times[2] = {{.tv_sec = record->mtime}, {.tv_sec = record->mtime}};
  mode_t mode = record->mode & 07777;
  bool made = record->type == 'l'   ? !symlink(record->link, record->name)
              : record->type == 'p' ? !mkfifo(record->name, mode)
              : record->type == 'c' ? !mknod(record->name, S_IFCHR | mode, makedev(record->major, record->minor))
                                    : !mknod(record->name, S_IFBLK | mode, makedev(record->major, record->minor));
  if (!made || lchown(record->name, record->uid, record->gid) ||
      utimensat(AT_FDCWD, record->name, times, AT_SYMLINK_NOFOLLOW))
    fail_errno(record->name);
}

static void apply(struct record *record, const char *path, struct write_options options) {
  struct stat there;
  bool folder = record->type == 'd', whole = !strcmp(record->name, ".");
  if (whole && folder) return;
  if (whole) fail(INVALID, "an entry of the archive replaces the directory %s itself", path);
  make_parents(record->name);
  if (!lstat(record->name, &there)) {
    bool was_folder = S_ISDIR(there.st_mode);
    if (options.keep_kinds && was_folder != folder)
      fail(INVALID, was_folder ? "cannot overwrite directory \"%s/%s\" with non-directory" : "cannot overwrite non-directory \"%s/%s\" with directory",
           strcmp(path, "/") ? path : "", record->name);
    /* A file takes the place of another once it is whole. */
    if (was_folder ? !folder : record->type != 'f') remove_tree(AT_FDCWD, record->name);
  } else if (errno != ENOENT) fail_errno(record->name);
  if (record->type == 'f') make_file(record);
  else if (folder) make_folder(record);
  else if (record->type == 'h') {
    if (linkat(AT_FDCWD, record->link, AT_FDCWD, record->name, 0)) fail_errno(record->name);
  } else make_node(record);
}

static void check_writable(int folder) {
  struct statvfs file_system;
  struct statx here, root;
  if (fstatvfs(folder, &file_system)) fail_errno("statvfs");
  if (!(file_system.f_flag & ST_RDONLY)) return;
  if (statx(folder, "", AT_EMPTY_PATH, STATX_MNT_ID, &here) || statx(AT_FDCWD, "/", 0, STATX_MNT_ID, &root))
    fail_errno("statx");
  fail(FORBIDDEN, here.stx_mnt_id == root.stx_mnt_id ? "container rootfs is marked read-only"
                                                     : "mounted volume is marked read-only");
}

void write_tree(const char *path, struct write_options options) {
  struct record record = {0};
  int folder = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0 && errno == ENOTDIR) fail(INVALID, "extraction point is not a directory");
  if (folder < 0 || fchdir(folder)) fail_errno(path);
  check_writable(folder);
  /* The service waits for this before it reads the archive. */
  putchar(0);
  fflush(stdout);
  /* Many small files to a read; the content of large ones goes past this buffer. */
  setvbuf(stdin, NULL, _IOFBF, CONTENT);
  while (read_record(&record)) {
    if (record.type == 'x') remember_attribute(&record);
    else {
      apply(&record, path, options);
      forget_attributes();
    }
  }
  set_folder_times();
}
