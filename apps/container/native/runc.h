/* What the parts of the program in front of runc share. */
#ifndef BERTH_RUNC_H
#define BERTH_RUNC_H

/* Leaves the mounts of other containers out of what this process, and so runc, sees. Ends with 1 where it cannot undo a part of that. */
void leave_other_mounts(int keeps_own);

#endif
