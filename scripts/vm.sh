#!/usr/bin/env bash
# A real machine for tests: Debian 12 with systemd and control groups v2 in QEMU, without network, in software emulation.
#
#   vm.sh make FOLDER SCRIPT    makes FOLDER/root: installs it once, and copies FOLDER/files into it.
#                               SCRIPT runs at each boot and ends the machine by poweroff -f or systemctl reboot
#   vm.sh disk FOLDER           makes FOLDER/disk.img of it, which is booted
#   vm.sh boot FOLDER SECONDS   boots it once, until it powers off or reboots; prints what SCRIPT printed
#   vm.sh enter FOLDER SECONDS  the same without QEMU: systemd in namespaces, on this machine's kernel and control groups; ten times as fast.
#                               What is written goes to FOLDER/written
set -euo pipefail
# shellcheck source=scripts/settings.sh
. "$(dirname "$0")/settings.sh"
# shellcheck source=scripts/packages.sh
. scripts/packages.sh

# What the package depends on is installed before, since the machine has no network.
BASE=systemd,systemd-sysv,udev,dbus,linux-image-cloud-amd64,kmod,curl,jq,ca-certificates
DEPENDS=bzip2,conntrack,containerd,iproute2,mount,nftables,procps,runc,xz-utils,zstd

make_root() {
  local folder=$1
  [ ! -e "$folder/root/.made" ] || return 0
  rm -rf "$folder/root" && mkdir -p "$folder"
  debootstrap --variant=minbase --include="$BASE,$DEPENDS" bookworm "$folder/root" "$(debian_mirror)" >"$folder/debootstrap.log"
  # Neither started nor given a cluster by its installation in a chroot.
  printf '#!/bin/sh\nexit 101\n' >"$folder/root/usr/sbin/policy-rc.d" && chmod 755 "$folder/root/usr/sbin/policy-rc.d"
  DEBIAN_FRONTEND=noninteractive chroot "$folder/root" apt-get install -y -q --no-install-recommends postgresql-15 ufw >>"$folder/debootstrap.log"
  rm "$folder/root/usr/sbin/policy-rc.d"
  chroot "$folder/root" passwd -d root >/dev/null
  # A machine for one run needs no writes that are safe from power cuts, which take most of dpkg's time in emulation.
  echo force-unsafe-io >"$folder/root/etc/dpkg/dpkg.cfg.d/unsafe-io"
  echo vm >"$folder/root/etc/hostname"
  printf '127.0.0.1 localhost vm\n::1 localhost\n' >"$folder/root/etc/hosts"
  echo '/dev/vda / ext4 defaults 0 1' >"$folder/root/etc/fstab"
  cat >"$folder/root/etc/systemd/system/script.service" <<'END'
[Unit]
After=multi-user.target
[Service]
Type=oneshot
ExecStart=/bin/bash -c "exec /root/script.sh >/dev/ttyS1 2>&1"
TimeoutStartSec=0
[Install]
WantedBy=graphical.target
END
  chroot "$folder/root" systemctl enable script.service >/dev/null 2>&1
  chroot "$folder/root" apt-get clean
  touch "$folder/root/.made"
}

# Inside the new namespaces: the root with a layer above it, devices, control groups; then systemd in place of this process.
enter() {
  local r=$folder/merged written=$folder/written group
  mkdir -p "$r" "$written"/{upper,work,containerd,berth}
  mount -t overlay overlay -o "lowerdir=$folder/root,upperdir=$written/upper,workdir=$written/work" "$r"
  # No overlay takes another one as its upper layer.
  mkdir -p "$r/var/lib/containerd" "$r/old"
  mount --bind "$written/containerd" "$r/var/lib/containerd"
  mount -t proc proc "$r/proc"
  mount -t sysfs sysfs "$r/sys"
  if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
    mount --rbind /sys/fs/cgroup "$r/sys/fs/cgroup"
  else
    mount -t tmpfs -o mode=755 tmpfs "$r/sys/fs/cgroup"
    mkdir "$r/sys/fs/cgroup/systemd"
    mount -t cgroup -o none,name=systemd,xattr cgroup "$r/sys/fs/cgroup/systemd"
    for group in cpu cpuacct memory pids devices freezer cpuset blkio; do
      [ ! -d "/sys/fs/cgroup/$group" ] || { mkdir "$r/sys/fs/cgroup/$group"; mount --bind "/sys/fs/cgroup/$group" "$r/sys/fs/cgroup/$group"; }
    done
  fi
  make_devices "$r/dev"
  mount -t tmpfs -o mode=755 tmpfs "$r/run"
  : >"$r/etc/fstab"
  ip link set lo up
  cd "$r"
  pivot_root . old
  umount -l /old
  exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --system --unit=graphical.target
}

make_devices() {
  local name minor
  mount -t tmpfs -o mode=755 tmpfs "$1"
  while read -r name minor; do mknod -m 666 "$1/$name" c 1 "$minor"; done <<<$'null 3\nzero 5\nfull 7\nrandom 8\nurandom 9'
  mkdir "$1"/{pts,shm}
  mount -t devpts -o newinstance,ptmxmode=666 devpts "$1/pts"
  ln -s pts/ptmx "$1/ptmx"
  mount -t tmpfs tmpfs "$1/shm"
  ln -s /proc/self/fd "$1/fd"
  for name in ttyS1:script console:console; do
    touch "$1/${name%:*}"
    : >"$folder/${name#*:}.log"
    mount --bind "$folder/${name#*:}.log" "$1/${name%:*}"
  done
}

case ${1:-} in
  make)
    folder=$2 script=$3
    make_root "$folder"
    [ ! -d "$folder/files" ] || cp -a "$folder/files/." "$folder/root/"
    install -m 755 "$script" "$folder/root/root/script.sh"
    ;;
  disk)
    rm -f "$2/disk.img"
    mke2fs -q -t ext4 -d "$2/root" "$2/disk.img" 6G
    ;;
  boot)
    folder=$2 seconds=$3 status=0
    timeout "$seconds" qemu-system-x86_64 -accel tcg,thread=multi -cpu max -m 3072 -smp 2 -display none -no-reboot \
      -kernel "$(compgen -G "$folder/root/boot/vmlinuz-*" | tail -1)" -initrd "$(compgen -G "$folder/root/boot/initrd.img-*" | tail -1)" \
      -append 'root=/dev/vda rw console=ttyS0 quiet net.ifnames=0 mitigations=off nowatchdog no_timer_check panic=-1' -drive "file=$folder/disk.img,format=raw,if=virtio,cache=unsafe" -nic none \
      -serial "file:$folder/console.log" -serial "file:$folder/script.log" </dev/null || status=$?
    tr -d '\r' <"$folder/script.log"
    exit "$status"
    ;;
  enter)
    export folder=$2
    export -f enter make_devices
    # systemd ends its namespace by a signal where a machine would power off or reboot.
    timeout "$3" unshare --mount --net --pid --uts --ipc --fork --kill-child --propagation private bash -euc enter || true
    cat "$folder/script.log"
    ;;
  *) fail "usage: vm.sh make FOLDER SCRIPT | disk FOLDER | boot|enter FOLDER SECONDS" ;;
esac
