/* The tar that the reading commands write. */
#include "in-rootfs.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { BLOCK = 512 };

static void put(const void *bytes, size_t size) {
  if (fwrite(bytes, 1, size, stdout) != size) fail_errno("stdout");
}

static void pad(uint64_t size) {
  static const char zeros[BLOCK];
  put(zeros, (BLOCK - size % BLOCK) % BLOCK);
}

struct header {
  char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], sum[8], type, link[100], magic[8], user[32], group[32],
      major[8], minor[8], prefix[155], rest[12];
};
_Static_assert(sizeof(struct header) == BLOCK, "a tar header is one block");

static void put_header(struct header *header) {
  memcpy(header->magic, "ustar\0" "00", 8);
  memset(header->sum, ' ', sizeof header->sum);
  unsigned sum = 0;
  for (size_t i = 0; i < BLOCK; i++) sum += ((unsigned char *)header)[i];
  snprintf(header->sum, sizeof header->sum, "%06o", sum);
  put(header, BLOCK);
}

/* Extended records, for what does not fit the header (POSIX pax). */
static char *records;
static size_t records_size;

static void add_record(const char *key, const void *value, size_t size) {
  size_t body = strlen(key) + size + 3, length = body, digits;
  do {
    digits = (size_t)snprintf(NULL, 0, "%zu", length);
    if (length == body + digits) break;
    length = body + digits;
  } while (true);
  records = must(realloc(records, records_size + length + 1));
  char *at = records + records_size;
  at += sprintf(at, "%zu %s=", length, key);
  memcpy(at, value, size);
  at[size] = '\n';
  records_size += length;
}

/* A header's text is ASCII: any other is in a record, and what of it is ASCII in the header too. */
static void set_text(char *field, size_t room, const char *key, const char *text) {
  size_t length = strlen(text), kept = 0;
  bool fits = length <= room;
  for (const char *at = text; *at; at++) {
    if (*at & 0x80) fits = false;
    else if (kept < room) field[kept++] = *at;
  }
  if (!fits) add_record(key, text, length);
}

static void set_number(char *field, size_t room, const char *key, int64_t number) {
  char digits[32];
  bool fits = number >= 0 && (uint64_t)number < 1ULL << 3 * (room - 1);
  if (!fits) add_record(key, digits, (size_t)snprintf(digits, sizeof digits, "%lld", (long long)number));
  snprintf(digits, sizeof digits, "%0*llo", (int)room - 1, fits ? (unsigned long long)number : 0);
  memcpy(field, digits, room);
}

/* As Go's archive/tar writes what FileInfoHeader tells, for dockerd: the mode with the type of the file, owners by number and name. */
void put_entry(const char *name, const struct stat *info, char type, const char *link, int file) {
  struct header header = {.type = type};
  char capability[64];
  ssize_t held = file < 0 ? -1 : fgetxattr(file, "security.capability", capability, sizeof capability);
  records_size = 0;
  set_text(header.name, sizeof header.name, "path", name);
  set_text(header.link, sizeof header.link, "linkpath", link);
  set_number(header.mode, sizeof header.mode, "mode", info->st_mode);
  set_number(header.uid, sizeof header.uid, "uid", info->st_uid);
  set_number(header.gid, sizeof header.gid, "gid", info->st_gid);
  set_number(header.size, sizeof header.size, "size", type == '0' ? info->st_size : 0);
  set_number(header.mtime, sizeof header.mtime, "mtime", info->st_mtim.tv_sec);
  set_text(header.user, sizeof header.user, "uname", user_name(info->st_uid));
  set_text(header.group, sizeof header.group, "gname", group_name(info->st_gid));
  bool device = type == '3' || type == '4';
  set_number(header.major, sizeof header.major, "SCHILY.devmajor", device ? major(info->st_rdev) : 0);
  set_number(header.minor, sizeof header.minor, "SCHILY.devminor", device ? minor(info->st_rdev) : 0);
  if (held > 0) add_record("SCHILY.xattr.security.capability", capability, (size_t)held);
  if (records_size > 0) {
    struct header extended = {.type = 'x', .name = "PaxHeaders.0/entry"};
    set_number(extended.mode, sizeof extended.mode, "", 0644);
    set_number(extended.uid, sizeof extended.uid, "", 0);
    set_number(extended.gid, sizeof extended.gid, "", 0);
    set_number(extended.size, sizeof extended.size, "", (int64_t)records_size);
    set_number(extended.mtime, sizeof extended.mtime, "", 0);
    put_header(&extended);
    put(records, records_size);
    pad(records_size);
  }
  put_header(&header);
}

/* As many bytes as the header says, whatever a process of the container does to the file meanwhile. */
void put_content(const char *name, int file, uint64_t size) {
  static char buffer[1 << 16];
  for (uint64_t left = size; left > 0;) {
    ssize_t got = read(file, buffer, left < sizeof buffer ? left : sizeof buffer);
    if (got < 0) fail_errno(name);
    if (got == 0) memset(buffer, 0, (size_t)(got = left < sizeof buffer ? (ssize_t)left : (ssize_t)sizeof buffer));
    put(buffer, (size_t)got);
    left -= (uint64_t)got;
  }
  pad(size);
}

void end_archive(void) {
  static const char zeros[2 * BLOCK];
  put(zeros, sizeof zeros);
}
