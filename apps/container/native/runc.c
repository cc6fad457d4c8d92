/*
 * runc, started without its `start`. containerd's shim runs
 *
 *   runc [--root FOLDER] [--log FILE] [--log-format FORMAT] [--debug] COMMAND …
 *
 * A process that `runc create` made waits until somebody reads the FIFO FOLDER/ID/exec.fifo, which is all that `runc start ID` does:
 * libcontainer's `Container.Exec` of runc 1.1. That takes a Go program 5 to 10 ms, and this one 1. All else runc itself does, and the
 * start of a process that is not one which waits: runc says why. `create` and `delete` see fewer mounts than the host has (runc-mounts.c).
 */
#define _GNU_SOURCE
#include "runc.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* How long to wait for the process before it is looked at again, as in runc. */
enum { LOOK_MS = 100, STAT_BYTES = 4096 };

struct process {
  long pid;
  unsigned long long start_time; /* clock ticks after boot */
};

static void hand_over(char **argv) {
  argv[0] = "runc";
  execvp("runc", argv);
  fprintf(stderr, "runc: %s\n", strerror(errno));
  exit(errno == ENOENT ? 127 : 126);
}

/* The text of a file's beginning. False where there is none. */
static int read_start(const char *path, char *text, size_t room) {
  int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  ssize_t got = file < 0 ? -1 : read(file, text, room - 1);
  if (file >= 0) close(file);
  text[got > 0 ? got : 0] = 0;
  return got > 0;
}

/* The number behind a key; a text in the file cannot look like one, since its quotes have a backslash. False where there is none. */
static int read_number(const char *text, const char *key, unsigned long long *number) {
  const char *at = strstr(text, key);
  return at && sscanf(at + strlen(key), "%llu", number) == 1;
}

/* The process that runc's state tells of. */
static int read_state(const char *path, struct process *init) {
  char text[STAT_BYTES];
  unsigned long long pid;
  if (!read_start(path, text, sizeof text) || !read_number(text, "\"init_process_pid\":", &pid) ||
      !read_number(text, "\"init_process_start\":", &init->start_time))
    return 0;
  init->pid = (long)pid;
  return pid > 0;
}

/* See proc(5) for /proc/PID/stat. */
static int is_alive(const struct process *init) {
  char path[64], text[STAT_BYTES], state;
  unsigned long long start_time;
  snprintf(path, sizeof path, "/proc/%ld/stat", init->pid);
  if (!read_start(path, text, sizeof text)) return 0;
  /* The name may have spaces and brackets. */
  const char *end = strrchr(text, ')');
  return end &&
         sscanf(end + 1, " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu", &state, &start_time) == 2 &&
         start_time == init->start_time && state != 'Z' && state != 'X';
}

/* Whether the process wrote what it writes before it runs its program; true once the program runs, or could not be run. */
static int read_to_end(int fifo, const struct process *init) {
  char bytes[16];
  for (int seen = 0;;) {
    struct pollfd wait = {.fd = fifo, .events = POLLIN};
    int ready = poll(&wait, 1, seen ? -1 : LOOK_MS);
    int dead = ready == 0 && !is_alive(init);
    if (ready <= 0 && !dead) continue;
    /* It may have written at its end. */
    ssize_t got = read(fifo, bytes, sizeof bytes);
    if (got > 0) seen = 1;
    else if (got == 0 || dead || (errno != EAGAIN && errno != EINTR)) return got == 0 && seen;
  }
}

int main(int argc, char **argv) {
  const char *root = NULL;
  int at = 1;
  for (; at < argc && !strncmp(argv[at], "--", 2); at++) {
    if (!strcmp(argv[at], "--debug")) continue;
    if (at + 1 == argc || (strcmp(argv[at], "--root") && strcmp(argv[at], "--log") && strcmp(argv[at], "--log-format")))
      hand_over(argv);
    if (!strcmp(argv[at], "--root")) root = argv[at + 1];
    at++;
  }
  if (root && at < argc && !strcmp(argv[at], "create")) leave_other_mounts(1);
  if (root && at < argc && !strcmp(argv[at], "delete")) leave_other_mounts(0);
  if (!root || argc - at != 2 || strcmp(argv[at], "start") || strchr(argv[at + 1], '/') || argv[at + 1][0] == '.' ||
      getenv("NOTIFY_SOCKET"))
    hand_over(argv);

  char state[PATH_MAX], path[PATH_MAX];
  struct process init;
  struct stat st;
  if (snprintf(state, sizeof state, "%s/%s/state.json", root, argv[at + 1]) >= (int)sizeof state ||
      snprintf(path, sizeof path, "%s/%s/exec.fifo", root, argv[at + 1]) >= (int)sizeof path || !read_state(state, &init) ||
      !is_alive(&init))
    hand_over(argv);
  /* Does not block, so that the process is still looked at; it writes as soon as there is a reader. */
  int fifo = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
  if (fifo < 0 || fstat(fifo, &st) < 0 || !S_ISFIFO(st.st_mode) || !read_to_end(fifo, &init)) hand_over(argv);
  if (unlink(path) < 0) {
    fprintf(stderr, "remove %s: %s\n", path, strerror(errno));
    return 1;
  }
  return 0;
}
