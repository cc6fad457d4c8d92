/*
 * Prints the name of the table, one a line, whenever a table, a chain or a rule of the host's packet filter is added or removed, and an
 * empty line where it missed changes:
 *
 *   rule-changes
 *
 * `nft monitor` tells as much, and keeps a copy of every table for it. It ends when nobody reads its output.
 */
#include <errno.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

/* Tables, chains and rules; elements of sets change with every published port. */
static int is_of_rules(uint16_t type) {
  switch (type) {
    case NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_NEWTABLE:
    case NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_DELTABLE:
    case NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_NEWCHAIN:
    case NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_DELCHAIN:
    case NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_NEWRULE:
    case NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_DELRULE: return 1;
    default: return 0;
  }
}

/* The attribute that names the table is number 1 of each of them (NFTA_TABLE_NAME, NFTA_CHAIN_TABLE, NFTA_RULE_TABLE). */
static void print_table(const struct nlmsghdr *head) {
  const char *at = (const char *)NLMSG_DATA(head) + NLMSG_ALIGN(sizeof(struct nfgenmsg)), *end = (const char *)head + head->nlmsg_len;
  while (end - at >= NLA_HDRLEN) {
    const struct nlattr *attribute = (const void *)at;
    if (attribute->nla_len < NLA_HDRLEN || attribute->nla_len > end - at) break;
    if ((attribute->nla_type & NLA_TYPE_MASK) == NFTA_TABLE_NAME) {
      printf("%.*s\n", attribute->nla_len - NLA_HDRLEN - 1, at + NLA_HDRLEN);
      return;
    }
    at += NLA_ALIGN(attribute->nla_len);
  }
}

int main(void) {
  static char bytes[1 << 16];
  struct sockaddr_nl address = {.nl_family = AF_NETLINK};
  int filter = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_NETFILTER), group = NFNLGRP_NFTABLES;
  if (filter < 0 || bind(filter, (struct sockaddr *)&address, sizeof address) < 0 ||
      setsockopt(filter, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group, sizeof group) < 0) {
    perror("rule-changes");
    return 1;
  }
  struct pollfd waits[] = {{.fd = filter, .events = POLLIN}, {.fd = STDOUT_FILENO}};
  for (;;) {
    if (poll(waits, 2, -1) < 0 && errno != EINTR) return 1;
    if (waits[1].revents) return 0;
    ssize_t got = recv(filter, bytes, sizeof bytes, MSG_DONTWAIT);
    if (got < 0 && errno == ENOBUFS) printf("\n");
    else if (got < 0 && errno != EINTR && errno != EAGAIN) return 1;
    for (struct nlmsghdr *head = (void *)bytes; got > 0 && NLMSG_OK(head, (uint32_t)got); head = NLMSG_NEXT(head, got))
      if (is_of_rules(head->nlmsg_type)) print_table(head);
    if (fflush(stdout) != 0) return 0;
  }
}
