/*
 * Tells the file system that the folders in each FOLDER have nothing to do with one another:
 *
 *   spread FOLDER...
 *
 * ext4 then gives each of them its own part of the disk (FS_TOPDIR_FL, the T of chattr). Otherwise it puts them next to those that were
 * removed a moment ago, whose inodes it must not use again yet and passes over one by one for each file that is made. Other file systems
 * have no such setting, and stay as they are.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int spread(int folder) {
  int flags;
  if (ioctl(folder, FS_IOC_GETFLAGS, &flags)) return -1;
  flags |= FS_TOPDIR_FL;
  return ioctl(folder, FS_IOC_SETFLAGS, &flags);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    int folder = open(argv[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0 || (spread(folder) && errno != ENOTTY && errno != EOPNOTSUPP && errno != EINVAL)) {
      fprintf(stderr, "%s: %s", argv[i], strerror(errno));
      return 1;
    }
    close(folder);
  }
  return 0;
}
