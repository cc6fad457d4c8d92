#!/usr/bin/env bash
# The engine that Berth is compared with: dockerd 28.5 of Debian sid, in a root of its own.
#
#   reference.sh build                    makes the root, once (about 1 GB)
#   reference.sh run FOLDER COMMAND...    runs a command in it; FOLDER is the same path inside and outside
#   reference.sh clients                  unpacks its clients under .cache/clients, to be run outside
#
# The root is $BERTH_REFERENCE, .cache/reference unless set. dockerd's storage needs a real root directory: with a
# chroot, loading an image fails, so `run` enters a mount namespace of its own and pivots.
set -euo pipefail
# shellcheck source=scripts/settings.sh
. "$(dirname "$0")/settings.sh"
# shellcheck source=scripts/packages.sh
. scripts/packages.sh

reference=${BERTH_REFERENCE:-$root/.cache/reference}

build() {
  [ ! -x "$reference/usr/sbin/dockerd" ] || return 0
  has_command debootstrap || install_packages debootstrap
  local parts=$reference.part
  rm -rf "$parts" && mkdir -p "$parts"
  step reference "installing Debian sid with dockerd under $reference"
  update_package_lists_once
  debootstrap --variant=minbase sid "$parts" "$(debian_mirror)"
  printf '#!/bin/sh\nexit 101\n' >"$parts/usr/sbin/policy-rc.d" && chmod 755 "$parts/usr/sbin/policy-rc.d"
  chroot "$parts" apt-get update -q -o Acquire::Check-Valid-Until=false
  DEBIAN_FRONTEND=noninteractive chroot "$parts" apt-get install -y -q --no-install-recommends \
    docker.io docker-cli docker-compose docker-buildx iptables ca-certificates procps iproute2 python3-docker
  rm -rf "$reference" && mv "$parts" "$reference"
}

# Runs inside the new mount namespace.
enter() {
  local folder=$1
  shift
  mount --bind "$reference" "$reference"
  mount -t proc proc "$reference/proc"
  mount -t sysfs sysfs "$reference/sys"
  mount --rbind /sys/fs/cgroup "$reference/sys/fs/cgroup"
  mount --rbind /dev "$reference/dev"
  mount -t tmpfs tmpfs "$reference/run"
  mount --bind /tmp "$reference/tmp"
  mkdir -p "$reference$folder" "$reference/old"
  mount --bind "$folder" "$reference$folder"
  cd "$reference"
  pivot_root . old
  umount -l /old
  exec env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

case ${1:-} in
  build) build ;;
  clients) unpack_clients ;;
  run)
    build
    shift
    export reference
    export -f enter
    exec unshare --mount --propagation private bash -euc 'enter "$@"' enter "$@"
    ;;
  *) fail "usage: reference.sh build | run FOLDER COMMAND... | clients" ;;
esac
