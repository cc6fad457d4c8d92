/* What the parts of in-rootfs share. */
#ifndef IN_ROOTFS_H
#define IN_ROOTFS_H

#define _GNU_SOURCE
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* Exit codes: the kinds of failure that the service tells apart. The message is on stderr. ENDED: the process of ROOT did. */
enum { FAILED = 1, INVALID = 2, FORBIDDEN = 3, NOT_FOUND = 4, ENDED = 5, CONFLICT = 6, FULL = 7 };

/* Prints the message and ends. */
_Noreturn void fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Ends with "what: <errno>" and the code that the errno stands for. */
_Noreturn void fail_errno(const char *what);
const char *error_text(int error);
/* Never NULL: ends where memory does. */
void *must(void *allocated);

/* The folder of this process's open files, for a file that has no name yet; -1 where there is none. */
extern int own_files;

void print_stat(const char *path);
/* What print_stat prints. TARGET is where a link leads, "" for what is none. */
void put_stat(const struct stat *info, const char *target);
void read_tree(const char *path, const char *name);
void export_tree(void);
void print_size(void);
void print_usage(void);
void print_existence(void);
void list_layer(void);

/* One entry of the archive on stdout; `file` is -1 or what has its extended attributes. */
void put_entry(const char *name, const struct stat *info, char type, const char *link, int file);
/* The entry's content, as many bytes as its header says. */
void put_content(const char *name, int file, uint64_t size);
void end_archive(void);

/* "" for none. */
const char *user_name(uid_t uid);
const char *group_name(gid_t gid);

struct write_options {
  /* Refuse to replace a directory by another kind of file and the other way round. */
  bool keep_kinds;
};
void write_tree(const char *path, struct write_options options);

#endif
