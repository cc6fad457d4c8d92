/* The part of a folder that a mount shows: its path may have links as long as they stay in the folder, as in moby's safepath. */
#ifndef PART_H
#define PART_H

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Opens the part as O_PATH; -1 with EXDEV where it leads out of `folder`, which the kernel tells while others swap links. */
static inline int open_part(int folder, const char *part) {
  struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
  int opened, tries = 1000;
  /* After any rename or mount of the host meanwhile, the kernel is not sure of a `..`. */
  do opened = (int)syscall(SYS_openat2, folder, part, &how, sizeof how);
  while (opened < 0 && (errno == EAGAIN || errno == EINTR) && --tries);
  return opened;
}

/* Says in dockerd's words why open_part failed with `error`. */
static inline void tell_part(const char *folder, const char *part, int error) {
  switch (error) {
    case EXDEV:
      fprintf(stderr, "path concatenation escapes the base directory, base: %s, subpath: %s", folder, part);
      return;
    case ENOENT:
      fprintf(stderr, "cannot access path %s/%s: lstat %s/%s: no such file or directory", folder, part, folder, part);
      return;
    default:
      fprintf(stderr, "error while resolving symlinks in combined path \"%s/%s\": %s", folder, part,
              error == ELOOP     ? "EvalSymlinks: too many links"
              : error == ENOTDIR ? "not a directory"
                                 : strerror(error));
  }
}

#endif
