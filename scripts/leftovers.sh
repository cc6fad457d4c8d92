# shellcheck shell=bash
# What of Berth is on this machine while it should not run. Sourced, never run.

# Prints one line for each process, mount, folder of runc and control group, interface, namespace and nftables table of this instance.
leftovers() {
  local directory line
  for directory in /proc/[0-9]*; do
    line=$({ tr '\0' ' ' <"$directory/cmdline"; } 2>/dev/null) || continue
    case $line in
      *"postgres -D $BERTH_STATE/"* | *containerd*"$BERTH_STATE/"* | *containerd*"$BERTH_RUN/"* | *containerd-shim*" -namespace $BERTH_INSTANCE "*)
        say "process ${directory#/proc/}: $line" ;;
    esac
  done
  awk -v state="$BERTH_STATE/" -v run="$BERTH_RUN/" 'index($2, state) == 1 || index($2, run) == 1 { print "mount " $2 }' /proc/mounts
  for directory in "/run/containerd/runc/$BERTH_INSTANCE" "/sys/fs/cgroup/$BERTH_INSTANCE" /sys/fs/cgroup/*/"$BERTH_INSTANCE"; do
    [ ! -d "$directory" ] || say "folder $directory"
  done
  has_command ip || return 0
  # Another instance's name may begin alike: bridges are known by their alias, the rest by the whole name.
  ip -o link 2>/dev/null | awk -F': ' -v name="$BERTH_INSTANCE" \
    '$2 == name "0" || ($0 "\\") ~ ("alias berth-" name "[ \\\\]") { print "interface " $2 }'
  ip netns list 2>/dev/null | awk -v name="$BERTH_INSTANCE" 'index($1, name "-") == 1 { print "network namespace " $1 }'
  nft list tables 2>/dev/null | awk -v name="$BERTH_INSTANCE" '$3 == name || index($3, name "-") == 1 { print "nftables " $0 }'
}

# Removes images and layers from the host's containerd, where Berth used that one: they are no files of ours.
purge_host_containerd() {
  local socket=${BERTH_CONTAINERD:-/run/containerd/containerd.sock} kind left
  [ -S "$socket" ] && [ ! -d "$BERTH_STATE/containerd" ] || return 0
  ctr() { command ctr --address "$socket" --namespace "$BERTH_INSTANCE" "$@"; }
  ctr namespaces list -q 2>/dev/null | grep -qx "$BERTH_INSTANCE" || return 0
  for kind in containers images leases content; do
    ctr "$kind" list -q | while read -r name; do ctr "$kind" remove "$name" >/dev/null 2>&1; done
  done
  # A layer goes only after the layers upon it.
  while left=$(ctr snapshots list | awk 'NR > 1 { print $1 }') && [ -n "$left" ]; do
    for name in $left; do ctr snapshots remove "$name" 2>/dev/null; done
    [ "$left" != "$(ctr snapshots list | awk 'NR > 1 { print $1 }')" ] || break
  done
  command ctr --address "$socket" namespaces remove "$BERTH_INSTANCE" >/dev/null ||
    step containerd "not all of namespace $BERTH_INSTANCE could be removed"
}
