/*
 * Touches a container's files from inside its root file system, so that no link, no `..` and no race of a process of the
 * container can lead out of it:
 *
 *   in-rootfs ROOT ro|rw|guarded [SOURCE PART TARGET ro|rw|ro?|rw?]... COMMAND [ARGUMENT]...
 *
 * ROOT is the mounted root file system, or /proc/PID/root of a running container, of which the root alone is taken: none of
 * what is mounted in it. Each SOURCE of the host, free of links, is bound to TARGET inside; with a question mark only if it is there.
 * PART is the part of it that is bound, "" for all: its links may not lead out of SOURCE. All of it is one private mount namespace with
 * nothing of the host in it. `ro` makes everything read-only, `guarded` the root alone.
 *
 *   stat PATH         "MODE SIZE SECONDS NANOSECONDS TARGET" and NUL: lstat, and where a link leads in the end
 *   read PATH NAME    the same, then a tar of PATH whose entries start with NAME
 *   export            the same of /, then a tar of what is in it
 *   size              bytes of the files in /: each once, folders not
 *   usage             bytes of disk that all in / takes, at least 4 KiB for each file and folder
 *   layer             'D' for each whiteout and 'A' for all else in /, the path and NUL; folders before what is in them
 *   exists            answers paths on stdin, each ended by NUL, with 1 or 0
 *   write PATH replace|keep-kinds[,devices]
 *                     makes what the records on stdin tell of in the directory PATH, see in-rootfs-write.c
 */
#include "in-rootfs.h"
#include "part.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/openat2.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

void fail(int code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  exit(code);
}

static int code_of(int error) {
  switch (error) {
    case ENOENT: return NOT_FOUND;
    case EROFS: return FORBIDDEN;
    /* What is mounted there, or what a process of the container changes meanwhile. */
    case EBUSY: case ENOTEMPTY: case ETXTBSY: return CONFLICT;
    case ENOSPC: case EDQUOT: return FULL;
    case ENOTDIR: case EISDIR: case ELOOP: case ENAMETOOLONG: case EINVAL: case EEXIST: case EPERM: case EXDEV: case EMLINK:
    case EFBIG: case EOVERFLOW: case EMFILE: return INVALID;
    default: return FAILED;
  }
}

/* As Go writes it, and with it dockerd. */
const char *error_text(int error) {
  static char text[128];
  snprintf(text, sizeof text, "%s", strerror(error));
  if (text[0] >= 'A' && text[0] <= 'Z') text[0] += 'a' - 'A';
  return text;
}

void fail_errno(const char *what) {
  fail(code_of(errno), "%s: %s", what, error_text(errno));
}

void *must(void *allocated) {
  if (!allocated) fail(FAILED, "out of memory");
  return allocated;
}

static void set_up(bool done, const char *what) {
  if (!done) fail(FAILED, "%s: %s", what, error_text(errno));
}

static bool is_same(const struct stat *one, const struct stat *other) {
  return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

/*
 * Enters the mount namespace of a running container's process, whose root is / from then on; answers this program's own. A process that
 * has ended has no namespace, before its id is gone; and the id may be another's by now.
 */
static int enter_process(const char *root) {
  char path[64];
  struct stat own, expected, found;
  size_t length = strlen(root);
  if (length < 5 || length > 40 || strcmp(root + length - 5, "/root")) fail(FAILED, "not /proc/PID/root");
  snprintf(path, sizeof path, "%.*s/ns/mnt", (int)length - 5, root);
  int theirs = open(path, O_RDONLY | O_CLOEXEC), ours = open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC);
  if (theirs < 0 || stat(root, &expected))
    fail(errno == ENOENT || errno == ESRCH ? ENDED : FAILED, "root: %s", error_text(errno));
  set_up(ours >= 0 && !stat("/", &own), "/proc/self/ns/mnt");
  set_up(!setns(theirs, CLONE_NEWNS), "setns");
  set_up(!stat("/", &found), "root");
  /* Above all it may be a process of the host: what we see then is the host's own root. */
  if (!is_same(&expected, &found) || is_same(&own, &found)) fail(ENDED, "another root");
  close(theirs);
  return ours;
}

static void leave_process(int ours) {
  set_up(!setns(ours, CLONE_NEWNS), "setns");
  close(ours);
}

/*
 * Answers the stat of a path that has no link in it and nothing mounted on it, which is the same in a running container's own mount
 * namespace: a new one would take a copy of every mount of the host. False, without an answer, for every other path and where there is none.
 */
static bool print_plain_stat(const char *root, const char *path, char **mounts, char **end) {
  struct open_how how = {.flags = O_PATH | O_CLOEXEC | O_NOFOLLOW, .resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV};
  struct stat info;
  if (strncmp(root, "/proc/", 6)) return false;
  /* A privileged container may have unmounted one. */
  for (; mounts < end; mounts += 4) {
    size_t length = strlen(mounts[2]);
    if (!strncmp(path, mounts[2], length) && (path[length] == '/' || !path[length])) return false;
  }
  int ours = enter_process(root);
  int file = (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
  leave_process(ours);
  if (file < 0 || fstat(file, &info) || S_ISLNK(info.st_mode)) return false;
  put_stat(&info, "");
  return true;
}

/* The root mount of a running container can be cloned from within its own mount namespace alone. */
static int clone_from_process(const char *root) {
  int ours = enter_process(root);
  int tree = open_tree(AT_FDCWD, "/", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
  set_up(tree >= 0, "root");
  leave_process(ours);
  return tree;
}

static int clone_root(const char *root) {
  if (!strncmp(root, "/proc/", 6)) return clone_from_process(root);
  int tree = open_tree(AT_FDCWD, root, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
  set_up(tree >= 0, "root");
  return tree;
}

/* A source was resolved before it was decided on: a link in it now is there to lead elsewhere. -1 for an optional one that is not there. */
static int clone_source(const char *path, const char *part, bool optional) {
  struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS};
  int source = (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
  if (source < 0 && optional && errno == ENOENT) return -1;
  set_up(source >= 0, path);
  if (*part) {
    int whole = source;
    source = open_part(whole, part);
    if (source < 0) {
      int error = errno;
      tell_part(path, part, error);
      exit(error == ENOENT ? FAILED : code_of(error));
    }
    close(whole);
  }
  int tree = open_tree(source, "", AT_EMPTY_PATH | OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
  close(source);
  return tree;
}

/* Resolves as a process whose root is `tree` would; the kernel lets nothing lead out of it. */
static int open_inside(int tree, const char *path) {
  struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT};
  return (int)syscall(SYS_openat2, tree, path, &how, sizeof how);
}

/*
 * The place to mount on. What is not there of it is made, as Docker and runc do, also where a link of the container leads to
 * what is not there.
 */
static int open_target(int tree, const char *target, bool is_folder, int links) {
  int place = open_inside(tree, target);
  if (place >= 0) return place;
  set_up(errno == ENOENT && links < 40, target);
  char *path = must(strdup(target)), *end = path + strlen(path), link[PATH_MAX], *next;
  while (end > path && end[-1] == '/') *--end = 0;
  char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  if (slash) *slash = 0;
  int parent = open_target(tree, slash && *path ? path : "/", true, links);
  int made = is_folder ? mkdirat(parent, name, 0755) : mknodat(parent, name, S_IFREG | 0644, 0);
  set_up(!made || errno == EEXIST, target);
  place = open_inside(tree, target);
  if (place < 0) {
    ssize_t size = readlinkat(parent, name, link, sizeof link - 1);
    set_up(size > 0, target);
    link[size] = 0;
    set_up(asprintf(&next, "%s/%s", *link == '/' ? "" : path, link) >= 0, target);
    place = open_target(tree, next, is_folder, links + 1);
    free(next);
  }
  close(parent);
  free(path);
  return place;
}

static void guard(int tree, unsigned flags, bool readonly) {
  struct mount_attr attributes = {
      .attr_set = MOUNT_ATTR_NODEV | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC | (readonly ? MOUNT_ATTR_RDONLY : 0),
      .propagation = MS_PRIVATE,
  };
  set_up(!mount_setattr(tree, "", AT_EMPTY_PATH | flags, &attributes, sizeof attributes), "mount_setattr");
}

/* MODE is ro or rw, with a question mark where the source is optional. */
static void bind_inside(int tree, const char *source, const char *part, const char *target, const char *mode) {
  struct stat info;
  bool readonly = mode[1] == 'o', optional = strchr(mode, '?');
  int bound = clone_source(source, part, optional);
  if (bound < 0 && optional) return;
  set_up(bound >= 0 && !fstat(bound, &info), source);
  guard(bound, AT_RECURSIVE, readonly);
  int place = open_target(tree, target, S_ISDIR(info.st_mode), 0);
  set_up(!move_mount(bound, "", place, "", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH), target);
  close(place);
  close(bound);
}

/* Gives up every right over the host that the commands do not need. */
static void drop_rights(bool writes, bool devices) {
  uint64_t kept = 1ULL << CAP_CHOWN | 1ULL << CAP_DAC_OVERRIDE | 1ULL << CAP_FOWNER | 1ULL << CAP_FSETID |
                  (writes ? 1ULL << CAP_SETFCAP : 0) | (devices ? 1ULL << CAP_MKNOD : 0);
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct data[2] = {0};
  for (int half = 0; half < 2; half++) data[half].effective = data[half].permitted = (uint32_t)(kept >> 32 * half);
  for (int capability = 0; capability <= 63; capability++) prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  set_up(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs");
  set_up(!syscall(SYS_capset, &header, data), "capset");
  /* However many links and folders there are to remember. */
  struct rlimit memory = {512 << 20, 512 << 20}, files = {4096, 4096}, core = {0, 0};
  setrlimit(RLIMIT_AS, &memory);
  setrlimit(RLIMIT_NOFILE, &files);
  setrlimit(RLIMIT_CORE, &core);
}

int own_files;

/* Makes what the arguments tell of this program's /, with nothing of the host in it. Each of the mounts has four texts. */
static void enter_view(const char *root, const char *access, char **mounts, char **end) {
  bool readonly = !strcmp(access, "ro"), guarded = !strcmp(access, "guarded");
  set_up(!unshare(CLONE_NEWNS), "unshare");
  set_up(!mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), "private mounts");
  int tree = clone_root(root);
  set_up(!move_mount(tree, "", AT_FDCWD, "/", MOVE_MOUNT_F_EMPTY_PATH), "move_mount");
  for (; mounts < end; mounts += 4) bind_inside(tree, mounts[0], mounts[1], mounts[2], mounts[3]);
  /* No sooner: places to mount on had to be made. */
  guard(tree, readonly ? AT_RECURSIVE : 0, readonly || guarded);
  set_up(!fchdir(tree), "fchdir");
  set_up(!syscall(SYS_pivot_root, ".", "."), "pivot_root");
  set_up(!umount2(".", MNT_DETACH), "umount");
  set_up(!chdir("/"), "chdir");
}

static void run(const char *verb, const char *path, const char *last, bool writes) {
  if (!strcmp(verb, "export")) export_tree();
  else if (!strcmp(verb, "size")) print_size();
  else if (!strcmp(verb, "usage")) print_usage();
  else if (!strcmp(verb, "exists")) print_existence();
  else if (!strcmp(verb, "layer")) list_layer();
  else if (!strcmp(verb, "stat") && path) print_stat(path);
  else if (!strcmp(verb, "read") && last) read_tree(path, last);
  else if (writes) write_tree(path, (struct write_options){.keep_kinds = !strncmp(last, "keep-kinds", 10)});
  else fail(FAILED, "in-rootfs: no such command: %s", verb);
}

int main(int argc, char **argv) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  /* Inside the root there may be no /proc. */
  own_files = open("/proc/self/fd", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (argc < 4) fail(FAILED, "in-rootfs: too few arguments");
  char **mounts = argv + 3, **command = mounts;
  for (; *command && **command == '/'; command += 4)
    if (!command[1] || !command[2] || !command[3]) fail(FAILED, "in-rootfs: SOURCE PART TARGET ro|rw");
  const char *verb = *command ? *command : "", *path = *command ? command[1] : NULL, *last = path ? command[2] : NULL;
  bool writes = !strcmp(verb, "write") && last;
  umask(0);
  if (strcmp(verb, "stat") || !path || !print_plain_stat(argv[1], path, mounts, command)) {
    enter_view(argv[1], argv[2], mounts, command);
    if (own_files >= 0) own_files = dup2(own_files, 3);
    close_range(own_files < 0 ? 3 : 4, ~0U, 0);
    drop_rights(writes, writes && strstr(last, ",devices"));
    run(verb, path, last, writes);
  }
  if (fflush(stdout) || ferror(stdout)) fail_errno("stdout");
  return 0;
}
