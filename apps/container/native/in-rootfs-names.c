/* The names of owners, by the container's own account files: / is the container's root. */
#include "in-rootfs.h"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As much as is read of a file that its container may make as large as it likes. */
enum { LONGEST = 1 << 20 };

struct account {
  unsigned id;
  char *name;
};
struct accounts {
  bool known;
  size_t count, last;
  struct account *all;
};

static void add(struct accounts *accounts, unsigned id, const char *name) {
  if (accounts->count % 64 == 0)
    accounts->all = must(realloc(accounts->all, (accounts->count + 64) * sizeof *accounts->all));
  accounts->all[accounts->count++] = (struct account){id, must(strdup(name))};
}

/* NULL where there is none, and for what is no file: a FIFO would never answer. */
static FILE *open_accounts(const char *path) {
  struct stat info;
  int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return NULL;
  if (!fstat(file, &info) && S_ISREG(info.st_mode) && info.st_size <= LONGEST) return must(fdopen(file, "r"));
  close(file);
  return NULL;
}

/* The first entry with the id; "" where there is none. */
static const char *name_of(struct accounts *accounts, unsigned id) {
  accounts->known = true;
  /* Most files have the owner of the one before. */
  if (accounts->last < accounts->count && accounts->all[accounts->last].id == id)
    return accounts->all[accounts->last].name;
  for (size_t i = 0; i < accounts->count; i++)
    if (accounts->all[i].id == id) return accounts->all[accounts->last = i].name;
  return "";
}

const char *user_name(uid_t uid) {
  static struct accounts users;
  FILE *file = users.known ? NULL : open_accounts("/etc/passwd");
  if (file) {
    for (struct passwd *user; ftell(file) <= LONGEST && (user = fgetpwent(file));) add(&users, user->pw_uid, user->pw_name);
    fclose(file);
  }
  return name_of(&users, uid);
}

const char *group_name(gid_t gid) {
  static struct accounts groups;
  FILE *file = groups.known ? NULL : open_accounts("/etc/group");
  if (file) {
    for (struct group *group; ftell(file) <= LONGEST && (group = fgetgrent(file));) add(&groups, group->gr_gid, group->gr_name);
    fclose(file);
  }
  return name_of(&groups, gid);
}
