/*
 * Runs programs for the service, whose own forks would copy the tables of its whole memory and stop its event loop until the child
 * executes the program, and changes the packet filter, for which Node has no sockets:
 *
 *   launcher < requests > answers
 *
 * Numbers are of 32 bits, little endian. Requests: LENGTH ID KIND …, where LENGTH counts all that follows it.
 *   0  run: COUNT_OF_ARGUMENTS COUNT_OF_VARIABLES, then texts that end with NUL: the folder to run in ("" is this one's), the arguments,
 *      the variables (none of them and a count of 0xffffffff: this one's); what is left is the program's standard input
 *   1  kill: SIGNAL
 *   2  change: messages of nfnetlink, sent at once; the end's ERROR is the kernel's, which leaves nothing of a batch that failed
 * Answers: LENGTH ID KIND …
 *   1  bytes of standard output, 2  of standard error
 *   3  the end, after both: EXIT_CODE SIGNAL ERROR; ERROR is an errno where the program could not be executed
 * It ends with its input.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RUN, KILL, CHANGE, MOST = 1 << 14 };

struct child {
  struct child *next;
  uint32_t id;
  pid_t pid; /* 0 once it was waited for */
  int status, pipes[2];
};

static struct child *children;
extern char **environ;

static void *checked(void *memory) {
  if (memory == NULL) _exit(1);
  return memory;
}

static void answer_bytes(const void *bytes, size_t length) {
  for (const char *at = bytes; length > 0;) {
    ssize_t done = write(1, at, length);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) _exit(0);
    at += done;
    length -= (size_t)done;
  }
}

static void answer(uint32_t id, uint32_t kind, const void *bytes, size_t length) {
  uint32_t head[] = {(uint32_t)length + 8, id, kind};
  answer_bytes(head, sizeof head);
  answer_bytes(bytes, length);
}

static void answer_end(uint32_t id, int status, int error) {
  int32_t end[] = {WIFEXITED(status) ? WEXITSTATUS(status) : -1, WIFSIGNALED(status) ? WTERMSIG(status) : 0, error};
  answer(id, 3, end, sizeof end);
}

/* A file, since some programs open /dev/stdin. */
static int input_of(const char *bytes, size_t length) {
  int file = memfd_create("input", MFD_CLOEXEC);
  while (file >= 0 && length > 0) {
    ssize_t done = write(file, bytes, length);
    if (done <= 0) {
      close(file);
      return -1;
    }
    bytes += done;
    length -= (size_t)done;
  }
  if (file >= 0) lseek(file, 0, SEEK_SET);
  return file;
}

static int spawn_in(struct child *child, const char *folder, char **arguments, char **variables, int input, int out, int err) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawn_file_actions_init(&actions);
  if (*folder) posix_spawn_file_actions_addchdir_np(&actions, folder);
  posix_spawn_file_actions_adddup2(&actions, input, 0);
  posix_spawn_file_actions_adddup2(&actions, out, 1);
  posix_spawn_file_actions_adddup2(&actions, err, 2);
  int error = posix_spawnp(&child->pid, arguments[0], &actions, &attributes, arguments, variables);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}

/* The next `count` texts, which all end before `end`. */
static char **texts(char **at, const char *end, uint32_t count) {
  char **list = checked(calloc((size_t)count + 1, sizeof *list));
  for (uint32_t index = 0; index < count; index++) {
    char *nul = memchr(*at, 0, (size_t)(end - *at));
    if (nul == NULL) _exit(1);
    list[index] = *at;
    *at = nul + 1;
  }
  return list;
}

static void run(uint32_t id, char *at, const char *end) {
  uint32_t counts[2];
  if (end - at < (ptrdiff_t)sizeof counts) _exit(1);
  memcpy(counts, at, sizeof counts);
  at += sizeof counts;
  char **folder = texts(&at, end, 1), **arguments = texts(&at, end, counts[0]);
  char **variables = counts[1] == UINT32_MAX ? NULL : texts(&at, end, counts[1]);
  struct child *child = checked(calloc(1, sizeof *child));
  int out[2] = {-1, -1}, err[2] = {-1, -1}, error = 0;
  int input = input_of(at, (size_t)(end - at));
  child->id = id;
  if (input < 0 || pipe2(out, O_CLOEXEC) < 0 || pipe2(err, O_CLOEXEC) < 0) error = errno;
  else error = spawn_in(child, *folder, arguments, variables ? variables : environ, input, out[1], err[1]);
  if (input >= 0) close(input);
  if (out[1] >= 0) close(out[1]);
  if (err[1] >= 0) close(err[1]);
  free(folder);
  free(arguments);
  free(variables);
  if (error == 0) {
    child->pipes[0] = out[0];
    child->pipes[1] = err[0];
    child->next = children;
    children = child;
    return;
  }
  if (out[0] >= 0) close(out[0]);
  if (err[0] >= 0) close(err[0]);
  free(child);
  answer_end(id, 0, error);
}

/* The first error of the kernel's answers, which are all there once the messages are sent; EIO where it answered nothing. */
static int answered(int filter) {
  static char bytes[1 << 16];
  int error = EIO;
  for (ssize_t got; (got = recv(filter, bytes, sizeof bytes, MSG_DONTWAIT)) > 0;)
    for (struct nlmsghdr *head = (void *)bytes; NLMSG_OK(head, (uint32_t)got); head = NLMSG_NEXT(head, got))
      if (head->nlmsg_type == NLMSG_ERROR && (error == EIO || error == 0)) error = -((struct nlmsgerr *)NLMSG_DATA(head))->error;
  return errno == EAGAIN ? error : errno;
}

static int change(const char *messages, size_t length) {
  int filter = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_NETFILTER), room = (int)length + MOST, yes = 1;
  if (filter < 0) return errno;
  /* A batch is sent whole, and every answer fits where it does not repeat its message. */
  setsockopt(filter, SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof room);
  setsockopt(filter, SOL_NETLINK, NETLINK_CAP_ACK, &yes, sizeof yes);
  int error = send(filter, messages, length, 0) < 0 ? errno : answered(filter);
  close(filter);
  return error;
}

static void take(char *request, uint32_t length) {
  uint32_t head[3] = {0};
  if (length < 8) _exit(1);
  memcpy(head, request, length < sizeof head ? 8 : sizeof head);
  if (head[1] == RUN) {
    run(head[0], request + 8, request + length);
    return;
  }
  if (head[1] == CHANGE) {
    answer_end(head[0], 0, change(request + 8, length - 8));
    return;
  }
  for (struct child *child = children; child; child = child->next)
    if (child->id == head[0] && child->pid > 0) kill(child->pid, (int)head[2]);
}

/* Reads what there is, and takes every whole request of it. False at the end of the input. */
static int read_requests(void) {
  static char *bytes;
  static size_t held, room;
  if (room - held < MOST) bytes = checked(realloc(bytes, room = 2 * room + MOST));
  ssize_t got = read(0, bytes + held, room - held);
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  if (got == 0) return 0;
  held += (size_t)got;
  size_t at = 0;
  for (uint32_t length; held - at >= sizeof length; at += sizeof length + length) {
    memcpy(&length, bytes + at, sizeof length);
    if (held - at - sizeof length < length) break;
    take(bytes + at + sizeof length, length);
  }
  memmove(bytes, bytes + at, held -= at);
  return 1;
}

static void wait_for_all(int signals) {
  struct signalfd_siginfo info;
  while (read(signals, &info, sizeof info) > 0) continue;
  for (struct child *child = children; child; child = child->next)
    if (child->pid > 0 && waitpid(child->pid, &child->status, WNOHANG) == child->pid) child->pid = 0;
}

static void pass_on(struct child *child, int which) {
  static char bytes[1 << 16];
  ssize_t got = read(child->pipes[which], bytes, sizeof bytes);
  if (got > 0) {
    answer(child->id, (uint32_t)which + 1, bytes, (size_t)got);
  } else if (got == 0 || errno != EINTR) {
    close(child->pipes[which]);
    child->pipes[which] = -1;
  }
}

static void forget_ended(void) {
  for (struct child **link = &children; *link;) {
    struct child *child = *link;
    if (child->pid > 0 || child->pipes[0] >= 0 || child->pipes[1] >= 0) {
      link = &child->next;
      continue;
    }
    answer_end(child->id, child->status, 0);
    *link = child->next;
    free(child);
  }
}

int main(void) {
  struct pollfd *waits = NULL;
  sigset_t ended;
  /* The service ends it by ending its input: a signal to all of the service's processes must not come before that. */
  for (int number = SIGHUP; number <= SIGTERM; number++)
    if (number == SIGHUP || number == SIGINT || number == SIGTERM || number == SIGPIPE) signal(number, SIG_IGN);
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  sigprocmask(SIG_BLOCK, &ended, NULL);
  int signals = signalfd(-1, &ended, SFD_CLOEXEC | SFD_NONBLOCK);
  for (;;) {
    size_t count = 2;
    for (struct child *child = children; child; child = child->next) count += 2;
    waits = checked(realloc(waits, count * sizeof *waits));
    waits[0] = (struct pollfd){.fd = 0, .events = POLLIN};
    waits[1] = (struct pollfd){.fd = signals, .events = POLLIN};
    count = 2;
    for (struct child *child = children; child; child = child->next)
      for (int which = 0; which < 2; which++) waits[count++] = (struct pollfd){.fd = child->pipes[which], .events = POLLIN};
    if (poll(waits, count, -1) < 0) continue;
    size_t at = 2;
    for (struct child *child = children; child; child = child->next)
      for (int which = 0; which < 2; which++)
        if (waits[at++].revents) pass_on(child, which);
    if (waits[1].revents) wait_for_all(signals);
    forget_ended();
    if (waits[0].revents && !read_requests()) return 0;
  }
}
