#!/usr/bin/env bash
# A real machine for tests: Debian 12 with systemd and control groups v2 in QEMU, without network, in software emulation.
#
#   vm.sh make FOLDER SCRIPT    makes FOLDER/disk.img from FOLDER/root, which it installs once, and FOLDER/files, which is copied into it.
#                               SCRIPT runs at each boot and ends the machine by poweroff -f or systemctl reboot
#   vm.sh boot FOLDER SECONDS   boots it once, until it powers off or reboots; prints what SCRIPT printed
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

case ${1:-} in
  make)
    folder=$2 script=$3
    make_root "$folder"
    [ ! -d "$folder/files" ] || cp -a "$folder/files/." "$folder/root/"
    install -m 755 "$script" "$folder/root/root/script.sh"
    rm -f "$folder/disk.img"
    mke2fs -q -t ext4 -d "$folder/root" "$folder/disk.img" 6G
    ;;
  boot)
    folder=$2 seconds=$3 status=0
    timeout "$seconds" qemu-system-x86_64 -accel tcg,thread=multi -cpu max -m 3072 -smp 2 -display none -no-reboot \
      -kernel "$(compgen -G "$folder/root/boot/vmlinuz-*" | tail -1)" -initrd "$(compgen -G "$folder/root/boot/initrd.img-*" | tail -1)" \
      -append 'root=/dev/vda rw console=ttyS0 quiet net.ifnames=0' -drive "file=$folder/disk.img,format=raw,if=virtio" -nic none \
      -serial "file:$folder/console.log" -serial "file:$folder/script.log" </dev/null || status=$?
    tr -d '\r' <"$folder/script.log"
    exit "$status"
    ;;
  *) fail "usage: vm.sh make FOLDER SCRIPT | boot FOLDER SECONDS" ;;
esac
