/*
 * Mounts folders and files of the host at places of the service's own, so that a mount from there gets what was checked:
 *
 *   pin [SOURCE TARGET private|slave]...
 *
 * SOURCE is free of links, or is refused. TARGET, which is made, lies in a folder of the service's. The mounts that lie in SOURCE come
 * along. `private` hears of no mount that is made or taken away in SOURCE afterwards, `slave` does; none tells SOURCE of its own.
 * Ends with 3 where a link is on the way, with 1 for all else; the message is on stderr.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void must(int done, const char *what) {
  if (done >= 0) return;
  int linked = errno == ELOOP;
  fprintf(stderr, "%s: %s", what, strerror(errno));
  exit(linked ? 3 : 1);
}

static void pin(const char *path, const char *target, const char *propagation) {
  struct stat info;
  struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS};
  struct mount_attr attributes = {.propagation = strcmp(propagation, "slave") ? MS_PRIVATE : MS_SLAVE};
  int source = (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
  must(source, path);
  int tree = open_tree(source, "", AT_EMPTY_PATH | OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
  must(tree, path);
  must(fstat(tree, &info), path);
  /* Before it is anywhere: what is taken off a shared mount is taken off its peers. */
  must(mount_setattr(tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &attributes, sizeof attributes), path);
  must(S_ISDIR(info.st_mode) ? mkdir(target, 0700) : mknod(target, S_IFREG | 0600, 0), path);
  must(move_mount(tree, "", AT_FDCWD, target, MOVE_MOUNT_F_EMPTY_PATH), path);
  close(tree);
  close(source);
}

int main(int argc, char **argv) {
  if (argc % 3 != 1) {
    fputs("pin [SOURCE TARGET private|slave]...", stderr);
    return 1;
  }
  for (int i = 1; i < argc; i += 3) pin(argv[i], argv[i + 1], argv[i + 2]);
  return 0;
}
