/*
 * The process that keeps a container's output: containerd's shim starts one per container (its `binary://` logging) and
 * gives it the container's stdout as fd 3, stderr as fd 4, and fd 5 to close when it is ready. It outlives Berth and
 * containerd, so that neither's death stops the container or loses a byte.
 *
 * Arguments are pairs: log PATH, alive PATH, max-bytes N, max-files N, terminal 1, stdout FIFO, stderr FIFO.
 * With `stdout` and `stderr` it reads those FIFOs and not 3 and 4: the shim knows no standard input beside `binary://`.
 *
 * One record a line, as Docker's json-file has them: {"log":"hello\n","stream":"stdout","time":"..."}. What came without
 * a newline is a record of its own at once, for a prompt has none. Bytes that are no UTF-8 show as U+FFFD in `log` as they
 * do in Docker, and such a record has the exact bytes in one more field, "bytes", as base64.
 *
 * Rotation: the full file becomes PATH.SEQ, with SEQ counting up for ever, so that a name never changes its meaning under
 * a reader; the current one is always PATH. The FIFO `alive` is held open for as long as records can come.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { READ_BYTES = 65536, LONG_BYTES = 1024, DRAIN_SECONDS = 10, WRITER_SECONDS = 60 };

static const char *log_path;
static int log_fd = -1;
static long long log_bytes, max_bytes, max_files = 1, sequence;
static volatile sig_atomic_t terminated;

static void on_term(int signal) {
  (void)signal;
  terminated = 1;
}

static void fail(const char *what) {
  fprintf(stderr, "berth logger: %s: %s\n", what, strerror(errno));
  exit(1);
}

static void open_log(void) {
  struct stat st;
  log_fd = open(log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640);
  log_bytes = log_fd >= 0 && fstat(log_fd, &st) == 0 ? st.st_size : 0;
}

/* Calls `visit` with the SEQ of every rotated file. */
static void each_rotated(void (*visit)(long long)) {
  char dir[4096];
  const char *base = strrchr(log_path, '/') + 1;
  size_t length = strlen(base);
  snprintf(dir, sizeof dir, "%.*s", (int)(base - log_path), log_path);
  DIR *entries = opendir(dir);
  if (!entries) return;
  for (struct dirent *e; (e = readdir(entries));)
    if (!strncmp(e->d_name, base, length) && e->d_name[length] == '.') {
      char *end;
      long long n = strtoll(e->d_name + length + 1, &end, 10);
      if (!*end && n > 0) visit(n);
    }
  closedir(entries);
}

static void count(long long n) {
  if (n > sequence) sequence = n;
}

static void expire(long long n) {
  char old[4096];
  if (n > sequence - (max_files - 1)) return;
  snprintf(old, sizeof old, "%s.%lld", log_path, n);
  unlink(old);
}

static void rotate(void) {
  char full[4096];
  snprintf(full, sizeof full, "%s.%lld", log_path, sequence + 1);
  if (rename(log_path, full) != 0) return;
  sequence++;
  close(log_fd);
  open_log();
  each_rotated(expire);
}

/* Without room on the disk the records are dropped: the container must never stall for its log. */
static void write_out(const char *data, size_t length) {
  if (log_fd < 0) open_log();
  if (log_fd < 0) return;
  log_bytes += (long long)length;
  while (length > 0) {
    ssize_t n = write(log_fd, data, length);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      /* A torn record would spoil the next: end its line; readers skip what they can't parse. */
      if (write(log_fd, "\n", 1) < 0) return;
      return;
    }
    data += n;
    length -= (size_t)n;
  }
}

/* How many bytes the valid UTF-8 sequence at `s` has; 0 where there is none. */
static size_t utf8(const unsigned char *s, size_t length) {
  unsigned char c = s[0];
  size_t n = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;
  if (n == 0 || n > length) return 0;
  for (size_t i = 1; i < n; i++)
    if ((s[i] & 0xc0) != 0x80) return 0;
  if ((c == 0xe0 && s[1] < 0xa0) || (c == 0xed && s[1] > 0x9f) || (c == 0xf0 && s[1] < 0x90) || (c == 0xf4 && s[1] > 0x8f))
    return 0;
  return n;
}

/* The digits of each twelve bits. */
static char pairs[1 << 12][2];

static void fill_pairs(void) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (unsigned v = 0; v < 1 << 12; v++) pairs[v][0] = digits[v >> 6], pairs[v][1] = digits[v & 63];
}

static char *base64(char *out, const unsigned char *s, size_t length) {
  size_t i = 0;
  for (; i + 3 <= length; i += 3) {
    unsigned v = (unsigned)s[i] << 16 | (unsigned)s[i + 1] << 8 | s[i + 2];
    out = mempcpy(out, pairs[v >> 12], 2);
    out = mempcpy(out, pairs[v & 4095], 2);
  }
  if (i < length) {
    unsigned v = (unsigned)s[i] << 16 | (i + 1 < length ? (unsigned)s[i + 1] << 8 : 0);
    out = mempcpy(out, pairs[v >> 12], 2);
    *out++ = i + 1 < length ? pairs[v & 4095][0] : '=';
    *out++ = '=';
  }
  return out;
}

static int is_plain(unsigned char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }

static int is_odd(unsigned char c) { return c == 0x7f || (c < 0x20 && !(c >= '\t' && c <= '\r')); }

/* A long record of which more than a quarter is neither text nor white space. */
static int is_binary(const unsigned char *s, size_t length) {
  size_t other = 0;
  if (length < LONG_BYTES) return 0;
  for (size_t i = 0; i < length && other <= length / 4;) {
    size_t n = s[i] < 0x80 ? 1 : utf8(s + i, length - i);
    other += n == 0 || is_odd(s[i]);
    i += n ? n : 1;
  }
  return other > length / 4;
}

/* Writes the text as a JSON string holds it; says whether that tells the exact bytes. */
static char *escape(char *out, const unsigned char *s, size_t length, int *exact) {
  static const char hex[] = "0123456789abcdef";
  *exact = 1;
  for (size_t i = 0; i < length;) {
    size_t plain = i;
    while (plain < length && is_plain(s[plain])) plain++;
    out = mempcpy(out, s + i, plain - i);
    if ((i = plain) == length) break;
    unsigned char c = s[i];
    size_t n = utf8(s + i, length - i);
    if (n == 0) {
      out = stpcpy(out, "\xef\xbf\xbd");
      *exact = 0;
      n = 1;
    } else if (n > 1) out = mempcpy(out, s + i, n);
    else if (c == '\n') out = stpcpy(out, "\\n");
    else if (c == '"' || c == '\\') *out++ = '\\', *out++ = (char)c;
    else {
      out = stpcpy(out, "\\u00");
      *out++ = hex[c >> 4];
      *out++ = hex[c & 15];
    }
    i += n;
  }
  return out;
}

static char *record(char *out, const unsigned char *s, size_t length, const char *stream, const char *time) {
  int exact = 0;
  out = stpcpy(out, "{\"log\":\"");
  if (is_binary(s, length)) out += sprintf(out, "[%zu bytes of binary output]\\n", length);
  else out = escape(out, s, length, &exact);
  if (!exact) {
    out = stpcpy(out, "\",\"bytes\":\"");
    out = base64(out, s, length);
  }
  out = stpcpy(out, "\",\"stream\":\"");
  out = stpcpy(out, stream);
  out = stpcpy(out, "\",\"time\":\"");
  out = stpcpy(out, time);
  return stpcpy(out, "\"}\n");
}

static void keep(const unsigned char *s, size_t length, const char *stream) {
  /* The worst is a record for each newline. */
  static char out[READ_BYTES * 128];
  char time[40], *end = out;
  struct timespec now;
  struct tm utc;
  clock_gettime(CLOCK_REALTIME, &now);
  gmtime_r(&now.tv_sec, &utc);
  size_t n = strftime(time, sizeof time, "%Y-%m-%dT%H:%M:%S", &utc);
  snprintf(time + n, sizeof time - n, ".%09ldZ", now.tv_nsec);
  while (length > 0) {
    const unsigned char *newline = memchr(s, '\n', length);
    size_t line = newline ? (size_t)(newline - s) + 1 : length;
    char *start = end;
    end = record(end, s, line, stream, time);
    if (max_bytes > 0 && log_bytes + (start - out) > 0 && log_bytes + (end - out) > max_bytes) {
      size_t last = (size_t)(end - start);
      write_out(out, (size_t)(start - out));
      rotate();
      memmove(out, start, last);
      end = out + last;
    }
    s += line;
    length -= line;
  }
  write_out(out, (size_t)(end - out));
}

int main(int argc, char **argv) {
  const char *alive = NULL, *fifos[2] = {NULL, NULL}, *names[2] = {"stdout", "stderr"};
  int terminal = 0, started;
  struct pollfd in[2] = {{.fd = 3, .events = POLLIN}, {.fd = 4, .events = POLLIN}};
  for (int i = 1; i + 1 < argc; i += 2) {
    if (!strcmp(argv[i], "log")) log_path = argv[i + 1];
    else if (!strcmp(argv[i], "alive")) alive = argv[i + 1];
    else if (!strcmp(argv[i], "max-bytes")) max_bytes = atoll(argv[i + 1]);
    else if (!strcmp(argv[i], "max-files")) max_files = atoll(argv[i + 1]);
    else if (!strcmp(argv[i], "terminal")) terminal = 1;
    else if (!strcmp(argv[i], "stdout")) fifos[0] = argv[i + 1];
    else if (!strcmp(argv[i], "stderr")) fifos[1] = argv[i + 1];
  }
  errno = EINVAL;
  if (!log_path || !strchr(log_path, '/') || !alive) fail("needs log and alive");

  struct sigaction term = {.sa_handler = on_term};
  sigaction(SIGTERM, &term, NULL);
  signal(SIGINT, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);

  fill_pairs();
  if (mkfifo(alive, 0600) != 0 && errno != EEXIST) fail(alive);
  if (open(alive, O_RDWR | O_CLOEXEC) < 0) fail(alive);
  each_rotated(count);
  open_log();
  if (log_fd < 0) fail(log_path);
  for (int i = 0; i < 2 && fifos[i]; i++)
    if ((in[i].fd = open(fifos[i], O_RDONLY | O_NONBLOCK | O_CLOEXEC)) < 0) fail(fifos[i]);
  /* The shim leaks the writing end of a terminal's stderr: waiting for its end would be for ever. */
  if (terminal) in[1].fd = -1;
  started = fifos[0] == NULL;
  close(5);

  time_t deadline = 0;
  while (in[0].fd >= 0 || in[1].fd >= 0) {
    static unsigned char data[READ_BYTES];
    /* The shim closes its ends before it terminates us; only a process that escaped can hold the others, and the shim kills us at 12 s. */
    if (terminated && deadline == 0) deadline = time(NULL) + DRAIN_SECONDS;
    int n = poll(in, 2, deadline ? 200 : started ? -1 : WRITER_SECONDS * 1000);
    if (n < 0 && errno != EINTR) fail("poll");
    /* Berth died between starting us and the task: no writer will ever come. */
    if (!started && (n == 0 || terminated)) break;
    if (deadline && time(NULL) > deadline) break;
    for (int i = 0; n > 0 && i < 2; i++) {
      if (in[i].fd < 0 || !in[i].revents) continue;
      started = 1;
      ssize_t got = read(in[i].fd, data, sizeof data);
      if (got > 0) keep(data, (size_t)got, names[i]);
      else if (got == 0 || (errno != EINTR && errno != EAGAIN)) close(in[i].fd), in[i].fd = -1;
    }
  }
  return 0;
}
