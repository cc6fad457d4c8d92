#!/usr/bin/env bash
# npm run package-test [-- --built] [--here] [--from=COMMIT]: builds the Debian package, and tests it on a real Debian 12: install, limits,
# upgrade, crash, reboot, remove, purge. With --from it upgrades from that commit's package, too.
# With --here, systemd runs in namespaces on this machine's kernel instead of in an emulated machine, which
# takes three minutes. The machine is emulated (scripts/vm.sh) otherwise; this takes ten minutes on an idle machine and 4 GB of disk.
set -euo pipefail
# shellcheck source=scripts/settings.sh
. "$(dirname "$0")/settings.sh"
# shellcheck source=scripts/packages.sh
. scripts/packages.sh

machine=${BERTH_TEST_MACHINE:-$root/.cache/machine}
missing=()
has_command qemu-system-x86_64 || missing+=(qemu-system-x86 seabios)
has_command debootstrap || missing+=(debootstrap)
has_command mke2fs || missing+=(e2fsprogs)
has_static_busybox || missing+=(busybox-static)
[ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
unpack_docker

files=$machine/files
rm -rf "$files" && mkdir -p "$files/root/image"/{bin,www/cgi-bin} "$files/usr/local/bin"
options=" $* "
[[ $options = *" --built "* ]] || bash scripts/package.sh 1 2 3
archive=.cache/package/berth_$(node -p 'require("./package.json").version')-@_$(dpkg --print-architecture).deb
former=${archive/@/1}
if [[ $options =~ \ --from=([^ ]+) ]]; then
  clone=$(mktemp -d)
  trap 'rm -rf "$clone"' EXIT
  git clone -q . "$clone"
  git -C "$clone" checkout -q "${BASH_REMATCH[1]}" || fail "there is no ${BASH_REMATCH[1]}"
  bash "$clone/scripts/package.sh" 0
  former=$(compgen -G "$clone/.cache/package/berth_*-0_*.deb")
fi
cp "$former" "$files/root/former.deb"
cp "${archive/@/1}" "$files/root/first.deb"
cp "${archive/@/2}" "$files/root/second.deb"
cp "${archive/@/3}" "$files/root/third.deb"
cp "$(command -v busybox)" "$files/root/image/bin/busybox"
for name in sh sleep httpd grep true tail; do ln -s busybox "$files/root/image/bin/$name"; done
echo hello >"$files/root/image/www/index.html"
# A page without end, one line a second: a connection that an upgrade must not cut.
printf '#!/bin/sh\necho\nwhile echo beat; do sleep 1; done\n' >"$files/root/image/www/cgi-bin/beat"
chmod 755 "$files/root/image/www/cgi-bin/beat"
cp .cache/docker/usr/bin/docker "$files/usr/local/bin/docker"

step machine "making it in $machine"
bash scripts/vm.sh make "$machine" tools/vm/package.sh
mode=boot
[[ $options != *" --here "* ]] || mode=enter
[ $mode = enter ] || bash scripts/vm.sh disk "$machine"
rm -rf "$machine/written"
for boot in 1 2; do
  step machine "boot $boot"
  bash scripts/vm.sh $mode "$machine" 3600 | tee "$machine/boot-$boot.log"
  ! grep -q ^FAILED "$machine/boot-$boot.log" || fail "the package does not work; $machine/boot-$boot.log and console.log tell more"
done
grep -q '^vm: ok' "$machine/boot-2.log" || fail "the machine ended early; $machine/console.log tells more"
