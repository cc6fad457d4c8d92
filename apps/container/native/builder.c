/*
 * Runs a builder of images where it sees nothing of the host but its own folders:
 *
 *   builder ROOT NETWORK ADDRESS:PORT DOOR [CGROUP_PROCS]... -- [SOURCE TARGET ro|rw]... -- COMMAND [ARGUMENT]...
 *
 * ROOT is an empty folder to build the root in. NETWORK is the file of a network namespace, or `-` for the caller's own.
 * Connections to ADDRESS:PORT in there lead to DOOR, a Unix socket of the host. CGROUP_PROCS are the files to join control groups by.
 * Each SOURCE of the host is bound to TARGET inside. The command has the host's /usr read-only, and mount, process, IPC and UTS
 * namespaces of its own: when it ends, or this program or its parent is killed, every process and mount of it is gone.
 * Ends as the command does; 200 where it could not be run, with the reason on stderr.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define UNABLE 200

static void must(int done, const char *what) {
  if (done >= 0) return;
  fprintf(stderr, "builder: %s: %s\n", what, strerror(errno));
  _exit(UNABLE);
}

static void put(const char *path, const char *text) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  must(file, path);
  must((int)write(file, text, strlen(text)), path);
  close(file);
}

static void make_parents(const char *path) {
  char part[256];
  for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
    snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
    if (mkdir(part, 0755) && errno != EEXIST) must(-1, part);
  }
}

/* Binds the host's SOURCE, if it is there, to TARGET in the folder that is the working directory. */
static void bind_in(const char *source, const char *target, int readonly) {
  struct stat info;
  struct mount_attr attributes = {.attr_set = MOUNT_ATTR_NOSUID | (readonly ? MOUNT_ATTR_RDONLY : 0)};
  int tree = open_tree(AT_FDCWD, source, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
  if (tree < 0 && errno == ENOENT) return;
  must(tree, source);
  must(fstat(tree, &info), source);
  make_parents(target);
  must(mount_setattr(tree, "", AT_EMPTY_PATH, &attributes, sizeof attributes), source);
  if ((S_ISDIR(info.st_mode) ? mkdir(target, 0755) : mknod(target, S_IFREG | 0644, 0)) && errno != EEXIST) must(-1, target);
  must(move_mount(tree, "", AT_FDCWD, target, MOVE_MOUNT_F_EMPTY_PATH), target);
  close(tree);
}

static void make_devices(void) {
  static const char *const NODES[] = {"null", "zero", "full", "random", "urandom", "tty"};
  static const char *const LINKS[][2] = {{"/proc/self/fd", "dev/fd"},
                                         {"/proc/self/fd/0", "dev/stdin"},
                                         {"/proc/self/fd/1", "dev/stdout"},
                                         {"/proc/self/fd/2", "dev/stderr"},
                                         {"pts/ptmx", "dev/ptmx"}};
  char source[32];
  must(mount("tmpfs", "dev", "tmpfs", MS_NOSUID | MS_NOEXEC, "mode=755,size=64k"), "dev");
  for (size_t i = 0; i < sizeof NODES / sizeof *NODES; i++) {
    snprintf(source, sizeof source, "/dev/%s", NODES[i]);
    bind_in(source, source + 1, 0);
  }
  must(mkdir("dev/pts", 0755) | mkdir("dev/shm", 01777), "dev");
  must(mount("devpts", "dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0620"), "dev/pts");
  must(mount("tmpfs", "dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777,size=16m"), "dev/shm");
  for (size_t i = 0; i < sizeof LINKS / sizeof *LINKS; i++) must(symlink(LINKS[i][0], LINKS[i][1]), LINKS[i][1]);
}

/* What of the host's root a program needs: folders, and links into /usr where the system is merged. */
static void take_system(void) {
  static const char *const SYSTEM[] = {"bin", "sbin", "lib", "lib32", "lib64", "libx32"};
  static const char *const ETC[] = {"ssl",   "ca-certificates", "passwd",     "group",         "nsswitch.conf",
                                    "pki",   "alternatives",    "ld.so.cache", "ld.so.conf.d", "localtime"};
  char path[64], link[256];
  struct stat info;
  bind_in("/usr", "usr", 1);
  for (size_t i = 0; i < sizeof SYSTEM / sizeof *SYSTEM; i++) {
    snprintf(path, sizeof path, "/%s", SYSTEM[i]);
    ssize_t length = readlink(path, link, sizeof link - 1);
    if (length < 0) {
      if (!stat(path, &info)) bind_in(path, path + 1, 1);
      continue;
    }
    link[length] = 0;
    must(symlink(link, path + 1), path);
  }
  for (size_t i = 0; i < sizeof ETC / sizeof *ETC; i++) {
    snprintf(path, sizeof path, "/etc/%s", ETC[i]);
    bind_in(path, path + 1, 1);
  }
}

static void enter_root(const char *root, char **mounts) {
  static const char *const FOLDERS[] = {"etc", "proc", "sys", "dev", "run", "var", "var/lib", "empty"};
  must(mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL), "/");
  must(mount("tmpfs", root, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=16m"), root);
  must(chdir(root), root);
  for (size_t i = 0; i < sizeof FOLDERS / sizeof *FOLDERS; i++) must(mkdir(FOLDERS[i], 0755), FOLDERS[i]);
  must(mkdir("tmp", 01777), "tmp");
  take_system();
  make_devices();
  must(mount("proc", "proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL), "proc");
  /* The control groups come along: the runtime puts each step into one. */
  must(mount("/sys", "sys", NULL, MS_BIND | MS_REC, NULL), "sys");
  for (char **one = mounts; *one; one += 3) bind_in(one[0], one[1][0] == '/' ? one[1] + 1 : one[1], !strcmp(one[2], "ro"));
  must((int)syscall(SYS_pivot_root, ".", "."), "pivot_root");
  must(umount2(".", MNT_DETACH), "umount");
  must(chdir("/"), "/");
}

/* Copies what FROM has to TO; 0 where it has no more. */
static int pass_on(int from, int to) {
  static char buffer[1 << 16];
  ssize_t length = read(from, buffer, sizeof buffer), done = 0, part;
  for (; length > 0 && done < length; done += part)
    if ((part = write(to, buffer + done, (size_t)(length - done))) < 0) return 0;
  return length > 0;
}

/* A process for each connection: a client that does not read holds up itself alone. */
static void lead(int client, int folder, const char *door) {
  struct sockaddr_un at = {.sun_family = AF_UNIX};
  int there = socket(AF_UNIX, SOCK_STREAM, 0);
  /* By a descriptor of its folder: the path is the host's, and may be longer than an address of a socket. */
  snprintf(at.sun_path, sizeof at.sun_path, "/proc/self/fd/%d/%s", folder, door);
  if (there < 0 || connect(there, (struct sockaddr *)&at, sizeof at)) _exit(1);
  struct pollfd ends[2] = {{.fd = client, .events = POLLIN}, {.fd = there, .events = POLLIN}};
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    if (poll(ends, 2, -1) < 0) _exit(1);
    if (ends[0].revents && !pass_on(client, there)) {
      shutdown(there, SHUT_WR);
      ends[0].fd = -1;
    }
    if (ends[1].revents && !pass_on(there, client)) {
      shutdown(client, SHUT_WR);
      ends[1].fd = -1;
    }
  }
  _exit(0);
}

static void serve(int listening, int folder, const char *door) {
  signal(SIGCHLD, SIG_IGN);
  for (;;) {
    int client = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
    if (client < 0 && errno != EINTR && errno != ECONNABORTED) _exit(1);
    if (client < 0) continue;
    if (!fork()) lead(client, folder, door);
    close(client);
  }
}

static int listen_at(const char *text) {
  char address[64];
  struct sockaddr_in at = {.sin_family = AF_INET};
  const char *colon = strrchr(text, ':');
  int one = 1;
  if (!colon || colon - text > 60) must(-1, text);
  snprintf(address, sizeof address, "%.*s", (int)(colon - text), text);
  at.sin_port = htons((unsigned short)atoi(colon + 1));
  if (inet_pton(AF_INET, address, &at.sin_addr) != 1) must(-1, text);
  int listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  must(listening, text);
  setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  must(bind(listening, (struct sockaddr *)&at, sizeof at), text);
  must(listen(listening, 64), text);
  return listening;
}

/* The first process of the namespace: it ends when its command has ended, and takes everything with it. */
static int reap(pid_t command) {
  int status;
  for (;;) {
    pid_t ended = wait(&status);
    if (ended < 0 && errno != EINTR) return UNABLE;
    if (ended == command) return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
}

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* Lets syncs succeed at once, those of steps too: what a build writes is made again if the power is lost. */
static void ignore_syncs(void) {
#ifdef ARCHITECTURE
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 0, 6),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fsync, 5, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fdatasync, 4, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_syncfs, 3, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sync, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sync_file_range, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 0),
  };
  struct sock_fprog filter = {sizeof code / sizeof *code, code};
  must((int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &filter), "seccomp");
#endif
}

static char **after_dashes(char **arguments) {
  while (*arguments && strcmp(*arguments, "--")) arguments++;
  if (!*arguments) {
    errno = EINVAL;
    must(-1, "arguments");
  }
  *arguments = NULL;
  return arguments + 1;
}

int main(int argc, char **argv) {
  static char door[4096];
  if (argc < 8) {
    fputs("builder ROOT NETWORK ADDRESS:PORT DOOR [CGROUP_PROCS]... -- [SOURCE TARGET ro|rw]... -- COMMAND [ARGUMENT]...\n", stderr);
    return UNABLE;
  }
  must(prctl(PR_SET_PDEATHSIG, SIGKILL), "prctl");
  char **groups = argv + 5, **mounts = after_dashes(groups), **command = after_dashes(mounts);
  char pid[16];
  snprintf(pid, sizeof pid, "%d", getpid());
  for (; *groups; groups++) put(*groups, pid);
  snprintf(door, sizeof door, "%s", argv[4]);
  char *name = strrchr(door, '/');
  if (!name) must(-1, door);
  *name++ = 0;
  int folder = open(door, O_PATH | O_DIRECTORY | O_CLOEXEC);
  must(folder, door);
  if (strcmp(argv[2], "-")) {
    int network = open(argv[2], O_RDONLY | O_CLOEXEC);
    must(network, argv[2]);
    must(setns(network, CLONE_NEWNET), argv[2]);
  }
  int listening = listen_at(argv[3]);
  must(unshare(CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS), "unshare");
  pid_t first = fork();
  must(first, "fork");
  if (first) {
    int status;
    while (waitpid(first, &status, 0) < 0)
      if (errno != EINTR) return UNABLE;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  must(prctl(PR_SET_PDEATHSIG, SIGKILL), "prctl");
  pid_t server = fork();
  must(server, "fork");
  if (!server) serve(listening, folder, name);
  close(folder);
  close(listening);
  enter_root(argv[1], mounts);
  pid_t program = fork();
  must(program, "fork");
  if (!program) {
    ignore_syncs();
    execvp(*command, command);
    must(-1, *command);
  }
  return reap(program);
}
