/* Floods a network's name service: `flood names|connections SECONDS`. Ends with 0. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int query(unsigned char *to, unsigned number) {
  static const unsigned char head[] = {0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0}, tail[] = {0, 0, 1, 0, 1};
  char label[32];
  int length = snprintf(label, sizeof label, "x%u", number);
  memcpy(to, head, sizeof head);
  memcpy(to, &number, 2);
  to[sizeof head] = length;
  memcpy(to + sizeof head + 1, label, length);
  memcpy(to + sizeof head + 1 + length, "\7invalid", 8);
  memcpy(to + sizeof head + 9 + length, tail, sizeof tail);
  return sizeof head + 9 + length + sizeof tail;
}

int main(int count, char **arguments) {
  struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(53)};
  unsigned char bytes[128];
  int datagrams = socket(AF_INET, SOCK_DGRAM, 0);
  unsigned number = getpid() << 16;
  time_t end;
  if (count < 3) return 1;
  end = time(NULL) + atoi(arguments[2]);
  inet_pton(AF_INET, "127.0.0.11", &server.sin_addr);
  while (time(NULL) < end) {
    if (strcmp(arguments[1], "names") == 0) {
      sendto(datagrams, bytes, query(bytes, number++), 0, (struct sockaddr *)&server, sizeof server);
    } else {
      int stream = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
      if (stream < 0) { usleep(1000); continue; }
      connect(stream, (struct sockaddr *)&server, sizeof server);
    }
  }
  return 0;
}
