#!/usr/bin/env bash
# The firewalls that Berth is tested beside: Debian's dockerd, ufw and firewalld, in a root of their own under .cache/firewalls.
#
#   firewalls.sh build                makes the root, once (about 600 MB)
#   firewalls.sh run COMMAND...       runs a command in it, with namespaces of its own for mounts, network and processes
set -euo pipefail
# shellcheck source=scripts/settings.sh
. "$(dirname "$0")/settings.sh"
# shellcheck source=scripts/packages.sh
. scripts/packages.sh

firewalls=${BERTH_TEST_FIREWALLS:-$root/.cache/firewalls}

build() {
  [ ! -x "$firewalls/usr/sbin/ufw" ] || return 0
  has_command debootstrap || install_packages debootstrap
  local parts=$firewalls.part
  rm -rf "$parts" && mkdir -p "$parts"
  step firewalls "installing Debian with dockerd, ufw and firewalld under $firewalls"
  update_package_lists_once
  debootstrap --variant=minbase bookworm "$parts" "$(debian_mirror)"
  printf '#!/bin/sh\nexit 101\n' >"$parts/usr/sbin/policy-rc.d" && chmod 755 "$parts/usr/sbin/policy-rc.d"
  DEBIAN_FRONTEND=noninteractive chroot "$parts" apt-get install -y -q --no-install-recommends \
    docker.io iptables nftables ufw firewalld dbus procps iproute2 ca-certificates
  mkdir -p "$parts/old"
  rm -rf "$firewalls" && mv "$parts" "$firewalls"
}

# Runs inside the new namespaces. What the programs write is in memory, and gone at the end.
enter() {
  mount --bind "$firewalls" "$firewalls"
  mount -t proc proc "$firewalls/proc"
  mount -t sysfs sysfs "$firewalls/sys"
  mount --rbind /sys/fs/cgroup "$firewalls/sys/fs/cgroup"
  mount --rbind /dev "$firewalls/dev"
  local folder
  for folder in run tmp var/log; do mount -t tmpfs tmpfs "$firewalls/$folder"; done
  for folder in etc var/lib; do
    mkdir -p "$firewalls/tmp/$folder"/{upper,work}
    mount -t overlay -o "lowerdir=$firewalls/$folder,upperdir=$firewalls/tmp/$folder/upper,workdir=$firewalls/tmp/$folder/work" \
      overlay "$firewalls/$folder"
  done
  cd "$firewalls"
  pivot_root . old
  umount -l /old
  exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

case ${1:-} in
  build) build ;;
  run)
    [ -x "$firewalls/usr/sbin/ufw" ] || fail "there is no $firewalls: bash scripts/firewalls.sh build"
    shift
    export firewalls
    export -f enter
    exec unshare --mount --net --pid --fork --kill-child --propagation private bash -euc 'enter "$@"' enter "$@"
    ;;
  *) fail "usage: firewalls.sh build | run COMMAND..." ;;
esac
