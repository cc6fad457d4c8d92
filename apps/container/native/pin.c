/*
 * Mounts folders and files of the host at places of the service's own, so that a mount from there gets what was checked:
 *
 *   pin [SOURCE PART TARGET private|slave|PID]...
 *
 * SOURCE is free of links, or is refused. PART is the part of it that is wished, "" for all: its links may not lead out of SOURCE.
 * TARGET, which is made, lies in a folder of the service's. The mounts that lie in the source come along. `private` hears of no mount that
 * is made or taken away there afterwards, `slave` does; none tells the source of its own.
 * With PID, SOURCE is a tmpfs that this process has mounted, which is no process of the host; it alone is mounted.
 *
 *   pin fill FOLDER PART FROM
 *
 * Copies what is in the folder FROM into the part of FOLDER, "." for all of it, unless something is there.
 *
 * Ends with 3 where a link is on the way to SOURCE, with 4 where PART leads out, 5 where it is missing, 6 where there is none for another
 * reason, with 1 for all else; the message is on stderr.
 */
#define _GNU_SOURCE
#include "part.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

static void must(int done, const char *what) {
  if (done >= 0) return;
  int linked = errno == ELOOP;
  fprintf(stderr, "%s: %s", what, strerror(errno));
  exit(linked ? 3 : 1);
}

static int open_source(const char *path) {
  struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS};
  int source = (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
  must(source, path);
  return source;
}

static _Noreturn void refuse_part(const char *folder, const char *part, int error) {
  tell_part(folder, part, error);
  exit(error == EXDEV ? 4 : error == ENOENT ? 5 : error == ELOOP || error == ENOTDIR || error == ENAMETOOLONG ? 6 : 1);
}

static int must_open_part(int folder, const char *path, const char *part) {
  int opened = open_part(folder, part);
  if (opened < 0) refuse_part(path, part, errno);
  return opened;
}

/* A mount can be cloned from within its own mount namespace alone. */
static int clone_of_process(const char *path, const char *pid) {
  char place[64];
  struct stat own, other;
  struct statfs kind;
  snprintf(place, sizeof place, "/proc/%s/ns/mnt", pid);
  int ours = open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC), theirs = open(place, O_RDONLY | O_CLOEXEC);
  must(ours, "/proc/self/ns/mnt");
  must(theirs, place);
  must(fstat(ours, &own), "/proc/self/ns/mnt");
  must(fstat(theirs, &other), place);
  /* The id may be another process's by now. */
  if (own.st_ino == other.st_ino) {
    fprintf(stderr, "%s: the container has ended", path);
    exit(1);
  }
  must(setns(theirs, CLONE_NEWNS), place);
  int source = open_source(path);
  must(fstatfs(source, &kind), path);
  if (kind.f_type != TMPFS_MAGIC) {
    fprintf(stderr, "%s: not a tmpfs", path);
    exit(1);
  }
  int tree = open_tree(source, "", AT_EMPTY_PATH | OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
  must(tree, path);
  must(setns(ours, CLONE_NEWNS), "/proc/self/ns/mnt");
  close(source);
  close(theirs);
  close(ours);
  return tree;
}

static int clone_of_host(const char *path, const char *part) {
  int source = open_source(path);
  if (*part) {
    int whole = source;
    source = must_open_part(whole, path, part);
    close(whole);
  }
  int tree = open_tree(source, "", AT_EMPTY_PATH | OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
  must(tree, path);
  close(source);
  return tree;
}

static void pin(const char *path, const char *part, const char *target, const char *from) {
  struct stat info;
  struct mount_attr attributes = {.propagation = strcmp(from, "slave") ? MS_PRIVATE : MS_SLAVE};
  int tree = strcmp(from, "slave") && strcmp(from, "private") ? clone_of_process(path, from) : clone_of_host(path, part);
  must(fstat(tree, &info), path);
  /* Before it is anywhere: what is taken off a shared mount is taken off its peers. */
  must(mount_setattr(tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &attributes, sizeof attributes), path);
  must(S_ISDIR(info.st_mode) ? mkdir(target, 0700) : mknod(target, S_IFREG | 0600, 0), path);
  must(move_mount(tree, "", AT_FDCWD, target, MOVE_MOUNT_F_EMPTY_PATH), path);
  close(tree);
}

static bool is_empty(int folder) {
  int own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *entries = own < 0 ? NULL : fdopendir(own);
  must(entries ? 0 : -1, "folder");
  int count = 0;
  while (count < 3 && readdir(entries)) count++;
  closedir(entries);
  return count < 3;
}

/* Leaves nothing of the host writable but `place`, which becomes the working directory. */
static void confine(int place, const char *what) {
  struct mount_attr own = {.attr_set = MOUNT_ATTR_NODEV | MOUNT_ATTR_NOSUID};
  struct mount_attr others = {.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NODEV};
  /* It lives as long as it is open. */
  int tree = open_tree(place, "", AT_EMPTY_PATH | OPEN_TREE_CLONE | AT_RECURSIVE);
  must(tree, what);
  must(mount_setattr(tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &own, sizeof own), what);
  must(mount_setattr(AT_FDCWD, "/", AT_RECURSIVE, &others, sizeof others), "/");
  must(fchdir(tree), what);
}

/*
 * Others may change the folder meanwhile: the copy begins in what was opened, wherever its path leads by then, and a link that comes in its
 * way leads to nothing that it could write to.
 */
static _Noreturn void fill(const char *path, const char *part, const char *from) {
  char *content;
  struct stat info;
  must(unshare(CLONE_NEWNS), "unshare");
  must(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), "private mounts");
  int folder = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  must(folder, path);
  int place = must_open_part(folder, path, part);
  must(fstat(place, &info), path);
  if (!S_ISDIR(info.st_mode)) {
    fprintf(stderr, "open %s/%s: not a directory", path, part);
    exit(6);
  }
  if (!is_empty(place)) exit(0);
  confine(place, path);
  must(asprintf(&content, "%s/.", from), from);
  /* `/.` copies the folder's own mode and owner, too, as Docker does. */
  execlp("cp", "cp", "-a", "--", content, ".", NULL);
  must(-1, "cp");
  exit(1);
}

int main(int argc, char **argv) {
  if (argc == 5 && !strcmp(argv[1], "fill")) fill(argv[2], argv[3], argv[4]);
  if (argc % 4 != 1) {
    fputs("pin [SOURCE PART TARGET private|slave|PID]...", stderr);
    return 1;
  }
  for (int i = 1; i < argc; i += 4) pin(argv[i], argv[i + 1], argv[i + 2], argv[i + 3]);
  return 0;
}
