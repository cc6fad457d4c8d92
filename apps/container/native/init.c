/*
 * Process 1 of a container that asked for an init (`docker run --init`), bound to /sbin/docker-init: it starts the command
 * behind `--`, passes every signal on to it, reaps orphans, and ends with the command's exit code, 128+N where signal N
 * ended it, 127 where it was not found and 126 where it could not be run.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  char **command = argv + 1;
  sigset_t all, before;
  if (argc > 1 && !strcmp(*command, "--")) command++;
  if (!*command) {
    fprintf(stderr, "docker-init: no command\n");
    return 1;
  }
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);

  pid_t child = fork();
  if (child < 0) {
    perror("docker-init: fork");
    return 1;
  }
  if (child == 0) {
    /* Its own foreground group, so that the terminal's signals reach the command and its children once. */
    setpgid(0, 0);
    tcsetpgrp(STDIN_FILENO, getpgrp());
    sigprocmask(SIG_SETMASK, &before, NULL);
    execvp(*command, command);
    int code = errno == ENOENT ? 127 : 126;
    fprintf(stderr, "docker-init: %s: %s\n", *command, strerror(errno));
    _exit(code);
  }
  for (;;) {
    int signal = sigwaitinfo(&all, NULL), status;
    if (signal < 0) continue;
    if (signal != SIGCHLD) {
      kill(child, signal);
      continue;
    }
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;)
      if (pid == child) return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }
}
