/* Answers every datagram on the port given with its own text, and "who" with its sender: busybox has no program that serves UDP. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

int main(int count, char **arguments) {
  struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons(atoi(arguments[count - 1]))};
  struct sockaddr_in from;
  char text[2048];
  int socket_ = socket(AF_INET, SOCK_DGRAM, 0);
  if (bind(socket_, (struct sockaddr *)&here, sizeof here)) return 1;
  for (;;) {
    socklen_t length = sizeof from;
    ssize_t size = recvfrom(socket_, text, sizeof text, 0, (struct sockaddr *)&from, &length);
    if (size == 3 && memcmp(text, "who", 3) == 0) size = strlen(inet_ntop(AF_INET, &from.sin_addr, text, sizeof text));
    if (size >= 0) sendto(socket_, text, size, 0, (struct sockaddr *)&from, length);
  }
}
