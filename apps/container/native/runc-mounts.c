/*
 * Each running container has a root file system and a network namespace among the mounts of the host, and `runc create`, `runc init` and
 * `runc delete` read the table of mounts six times, of which the kernel formats each line: beside 500 containers, two thirds of what a
 * start took more than beside 10. So runc gets a mount namespace of its own, for as long as it runs, without the others'.
 *
 * It stays with the host's where containerd's folder of bundles is no mount of its own, which can be taken away with all that is in it; where
 * a mount of the container is to tell the host of what is mounted in it; and where one is made of a folder with others' mounts in it.
 */
#define _GNU_SOURCE
#include "runc.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/mount.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Below containerd's folder for what ends with the uptime; a bundle's own folder is the working directory of its shim and of runc. */
#define BUNDLES "/io.containerd.runtime.v2.task/"
/* Where `ip netns` keeps namespaces, which makes it a mount of its own. */
#define NETWORKS "/run/netns"
#define NETWORK_KEY "\"type\":\"network\",\"path\":\""
#define SOURCE_KEY "\"source\":\""

enum { MOST_CONFIG = 64 << 20 };

static int clone_mount(const char *path) {
  return (int)syscall(SYS_open_tree, AT_FDCWD, path, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
}

static int is_mount(const char *path) {
  struct statx info;
  return statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_TYPE, &info) == 0 && (info.stx_attributes & STATX_ATTR_MOUNT_ROOT);
}

static void must(int done, const char *what) {
  if (done >= 0) return;
  fprintf(stderr, "runc: %s: %s\n", what, strerror(errno));
  exit(1);
}

/* The bundle's configuration; NULL where there is none that can be read. */
static char *read_config(void) {
  struct stat info;
  int file = open("config.json", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  char *text = NULL;
  if (file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size < MOST_CONFIG &&
      (text = malloc((size_t)info.st_size + 1))) {
    ssize_t got = read(file, text, (size_t)info.st_size);
    text[got > 0 ? got : 0] = 0;
  }
  if (file >= 0) close(file);
  return text;
}

static int is_within(const char *path, const char *folder) {
  size_t length = strcmp(folder, "/") ? strlen(folder) : 0;
  return !strncmp(path, folder, length) && (path[length] == '/' || !path[length]);
}

/* Whether a mount's source is `folder`, or above or in it; the container's own root file system is no source. */
static int has_source_near(const char *config, const char *folder) {
  char source[PATH_MAX], real[PATH_MAX];
  for (const char *at = config; (at = strstr(at, SOURCE_KEY));) {
    at += strlen(SOURCE_KEY);
    size_t length = strcspn(at, "\"\\");
    /* An escape, or a path that cannot be one, may stand for anything. */
    if (at[length] != '"' || length >= sizeof source) return 1;
    snprintf(source, sizeof source, "%.*s", (int)length, at);
    if (*source == '/' && realpath(source, real) && (is_within(folder, real) || is_within(real, folder))) return 1;
  }
  return 0;
}

/* Whether the container is to be made among all mounts of the host. */
static int needs_all(const char *config, const char *state) {
  return strstr(config, "\"shared\"") || strstr(config, "\"rshared\"") || has_source_near(config, state) ||
         has_source_near(config, NETWORKS);
}

/* The path of the network namespace among NETWORKS that the container gets. NULL where it has another or none. */
static const char *find_network(char *config) {
  char *path = strstr(config, NETWORK_KEY);
  if (!path) return NULL;
  path += strlen(NETWORK_KEY);
  char *end = strchr(path, '"');
  if (!end || strncmp(path, NETWORKS "/", strlen(NETWORKS "/"))) return NULL;
  *end = 0;
  return path;
}

/* Takes away a mount with all that is in it but `kept`, which it puts back. */
static void keep_only(const char *mount_point, const char *folder, const char *kept) {
  int tree = kept ? clone_mount(kept) : -1;
  if (kept && tree < 0) return;
  if (umount2(mount_point, MNT_DETACH) == 0) {
    /* The folder is in what was taken away; below lies the same one. */
    if (folder) must(chdir(folder), folder);
    if (kept) must((int)syscall(SYS_move_mount, tree, "", AT_FDCWD, kept, MOVE_MOUNT_F_EMPTY_PATH), kept);
  }
  if (tree >= 0) close(tree);
}

void leave_other_mounts(int keeps_own) {
  char bundle[PATH_MAX], state[PATH_MAX];
  if (!getcwd(bundle, sizeof bundle)) return;
  const char *end = strstr(bundle, BUNDLES);
  if (!end) return;
  snprintf(state, sizeof state, "%.*s", (int)(end - bundle), bundle);
  if (!is_mount(state)) return;
  char *config = keeps_own ? read_config() : NULL;
  if (keeps_own && !config) return;
  /* As a slave it hears of the host's mounts, and the host hears of none of its own. */
  if (!(config && needs_all(config, state)) && unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) == 0) {
    keep_only(state, bundle, keeps_own ? "rootfs" : NULL);
    if (is_mount(NETWORKS)) keep_only(NETWORKS, NULL, config ? find_network(config) : NULL);
  }
  free(config);
}
