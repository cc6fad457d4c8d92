/*
 * containerd's shim for runc, started without its first half. containerd runs, in the folder of a task's bundle,
 *
 *   containerd-shim-berth-v2 -namespace NAMESPACE -address SOCKET -publish-binary CONTAINERD -id ID [-debug] start|delete
 *
 * containerd-shim-runc-v2 is a Go program that for `start` makes a socket, starts itself once more to serve it, writes the socket's
 * address to the file `address`, and prints it. This one does the same in a tenth of the time: containerd 1.6's and 1.7's
 * runtime/v2/runc/manager (`manager.Start`). It has no groups of containers: each has a shim of its own.
 * All else, and what it does not expect, containerd-shim-runc-v2 does.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* Where containerd's own shims have their sockets; only root enters it. */
#define SOCKETS "/run/containerd/s"
#define SHIM "containerd-shim-runc-v2"

enum { LISTENER = 3, MOST_SCORE = 1000 };

extern char **environ;
static char socket_path[sizeof((struct sockaddr_un *)0)->sun_path];
static int has_socket;
static pid_t daemon_pid;

/* The shim beside the containerd that calls, where PATH has none: containerd looks there too. */
static const char *beside(const char *containerd) {
  static char path[4096];
  const char *end = containerd ? strrchr(containerd, '/') : NULL;
  snprintf(path, sizeof path, "%.*s/" SHIM, end ? (int)(end - containerd) : 0, end ? containerd : "");
  return path;
}

static void fail(const char *what) {
  fprintf(stderr, "containerd-shim-berth-v2: %s: %s", what, strerror(errno));
  if (daemon_pid > 0) kill(daemon_pid, SIGKILL);
  if (has_socket) unlink(socket_path);
  exit(1);
}

static void hand_over(char **argv, const char *containerd) {
  argv[0] = SHIM;
  execvp(SHIM, argv);
  execv(beside(containerd), argv);
  fail(SHIM);
}

/* A name of its own for each task of each namespace of each containerd (FNV-1a). False where it is too long for a socket. */
static int name_socket(const char *containerd, const char *namespace, const char *id) {
  uint64_t hash = 0xcbf29ce484222325;
  const char *parts[] = {containerd, namespace};
  for (int part = 0; part < 2; part++)
    for (const char *at = parts[part];; at++) {
      hash = (hash ^ (unsigned char)*at) * 0x100000001b3;
      if (!*at) break;
    }
  int length = snprintf(socket_path, sizeof socket_path, SOCKETS "/%s-%016llx", id, (unsigned long long)hash);
  return !strchr(id, '/') && length < (int)sizeof socket_path;
}

static int connects(const struct sockaddr_un *address) {
  int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int connected = client >= 0 && connect(client, (const void *)address, sizeof *address) == 0;
  if (client >= 0) close(client);
  return connected;
}

/* A listener, or -1 where a shim that runs has the socket already. One that was killed leaves its socket. */
static int open_listener(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  strcpy(address.sun_path, socket_path);
  mkdir("/run/containerd", 0711);
  mkdir(SOCKETS, 0700);
  mode_t usual = umask(0177);
  int bound = bind(listener, (void *)&address, sizeof address);
  if (bound < 0 && errno == EADDRINUSE) {
    if (connects(&address)) {
      umask(usual);
      return -1;
    }
    unlink(socket_path);
    bound = bind(listener, (void *)&address, sizeof address);
  }
  if (bound < 0) fail("its socket could not be bound");
  has_socket = 1;
  umask(usual);
  if (listen(listener, SOMAXCONN) < 0) fail("its socket could not be listened at");
  return listener;
}

/* Renamed into place, since containerd may read it at any moment. */
static void write_address(const char *address) {
  int file = open(".address", O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  ssize_t length = (ssize_t)strlen(address);
  if (file < 0 || write(file, address, (size_t)length) != length || close(file) < 0 || rename(".address", "address") < 0)
    fail("its address could not be written");
}

static void start_daemon(int listener, char **arguments, const char *containerd) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawn_file_actions_init(&actions);
  for (int stream = 0; stream < 3; stream++)
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", stream ? O_WRONLY : O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, listener, LISTENER);
  /* containerd's own start says 4. It collects garbage every 30 s, and one of its threads then waits in a loop for what another does: with many
   * shims on a busy host, more time than all else that they do. With one at a time there is nothing to wait for. */
  setenv("GOMAXPROCS", "1", 1);
  errno = posix_spawnp(&daemon_pid, SHIM, &actions, &attributes, arguments, environ);
  if (errno == ENOENT) errno = posix_spawn(&daemon_pid, beside(containerd), &actions, &attributes, arguments, environ);
  if (errno) {
    daemon_pid = 0;
    fail(SHIM);
  }
}

/* Without memory the kernel ends a shim rather than containerd. */
static void adjust_score(void) {
  char path[64], text[16];
  int score = 0;
  snprintf(path, sizeof path, "/proc/%d/oom_score_adj", (int)getppid());
  FILE *file = fopen(path, "re");
  if (!file || fscanf(file, "%d", &score) != 1) fail("containerd's score could not be read");
  fclose(file);
  if (score < MOST_SCORE) score++;
  snprintf(path, sizeof path, "/proc/%d/oom_score_adj", (int)daemon_pid);
  int length = snprintf(text, sizeof text, "%d", score), target = open(path, O_WRONLY | O_CLOEXEC);
  /* As root of a user namespace it may not be allowed, which containerd's own shim does not mind either. */
  if ((target < 0 || write(target, text, (size_t)length) < 0) && errno != EACCES && errno != EPERM)
    fail("its score could not be set");
}

int main(int argc, char **argv) {
  char *namespace = NULL, *containerd = NULL, *binary = NULL, *id = NULL, *debug = NULL, *verb = NULL;
  for (int at = 1; at < argc; at++) {
    char **option = !strcmp(argv[at], "-namespace")        ? &namespace
                    : !strcmp(argv[at], "-address")        ? &containerd
                    : !strcmp(argv[at], "-publish-binary") ? &binary
                    : !strcmp(argv[at], "-id")             ? &id
                                                           : NULL;
    if (option && at + 1 < argc) *option = argv[++at];
    else if (!strcmp(argv[at], "-debug")) debug = argv[at];
    else if (at + 1 == argc) verb = argv[at];
    else hand_over(argv, binary);
  }
  if (!namespace || !containerd || !id || !verb || strcmp(verb, "start") || getenv("SCHED_CORE") ||
      !name_socket(containerd, namespace, id))
    hand_over(argv, binary);
  char address[sizeof socket_path + 8];
  int length = snprintf(address, sizeof address, "unix://%s", socket_path);
  int listener = open_listener();
  write_address(address);
  if (listener >= 0) {
    char *arguments[] = {SHIM, "-namespace", namespace, "-id", id, "-address", containerd, debug, NULL};
    start_daemon(listener, arguments, binary);
    adjust_score();
  }
  return write(STDOUT_FILENO, address, (size_t)length) == length ? 0 : 1;
}
