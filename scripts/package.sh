#!/usr/bin/env bash
# npm run package [-- REVISION...]: builds the Debian package .cache/package/berth_VERSION-REVISION_ARCH.deb: both services, bundled, and
# the Node that they run on, prebuilt native programs, the berth command, systemd units.
set -euo pipefail
# shellcheck source=scripts/settings.sh
. "$(dirname "$0")/settings.sh"
# shellcheck source=scripts/packages.sh
. scripts/packages.sh
# shellcheck source=scripts/build.sh
. scripts/build.sh

NODE_VERSION=22.23.3
# What the packaged services need of scripts/.
SCRIPTS=(settings.sh settings-file.sh settings.txt services.sh packages.sh leftovers.sh postgres.sh)

revisions=("${@:-1}")
for revision in "${revisions[@]}"; do
  [[ $revision =~ ^[0-9a-z.+~]+$ ]] || fail "REVISION: want digits, small letters and . + ~, and this is $revision"
done
has_command dpkg-deb || fail "dpkg-deb is missing: packages are built on Debian"
arch=$(dpkg --print-architecture)
case $arch in
  amd64) node_arch=x64 ;;
  arm64) node_arch=arm64 ;;
  *) fail "there is no Node for $arch among npm's packages" ;;
esac
cache=$root/.cache/package
stage=$cache/root
lib=$stage/usr/lib/berth

# Node from npm's package of its binaries; npm checks its integrity.
fetch_node() {
  local folder=$cache/node-$NODE_VERSION-$node_arch
  [ -x "$folder/package/bin/node" ] || {
    step node "fetching node-linux-$node_arch@$NODE_VERSION from npm's registry"
    rm -rf "$folder" && mkdir -p "$folder"
    (cd "$folder" && npm pack --silent "node-linux-$node_arch@$NODE_VERSION" >/dev/null && tar xzf ./*.tgz package/bin/node package/LICENSE && rm ./*.tgz) ||
      fail "node-linux-$node_arch@$NODE_VERSION could not be fetched"
  }
  # Its symbols are for debuggers, and take 18 MB.
  mkdir -p "$lib/bin" && strip -o "$lib/bin/node" "$folder/package/bin/node" && chmod 755 "$lib/bin/node"
  install -m 644 "$folder/package/LICENSE" "$lib/bin/node.LICENSE"
}

# deploy MEMBER: the member's files with its dependencies. Copies, as links would be to the store of pnpm.
deploy() {
  local folder=$lib/$1
  step deploy "$1"
  mkdir -p "$(dirname "$folder")"
  (cd / && CI=true npx --yes "pnpm@$pnpm_version" --dir "$root" --filter="./$1" deploy --prod --legacy --config.package-import-method=copy "$folder" >"$cache/deploy.log" 2>&1) ||
    { cat "$cache/deploy.log" >&2; fail "$1 could not be deployed"; }
  sh scripts/slim.sh "$folder"
}

install_npm_packages
build || fail "the build failed"
pnpm_version=$(node -p 'require("./package.json").devEngines.packageManager.version')
rm -rf "$stage" && mkdir -p "$lib/scripts" "$stage/DEBIAN"
fetch_node
for member in apps/container apps/directory; do deploy "$member"; done
mkdir -p "$lib/packages/cli/dist"
cp packages/cli/package.json "$lib/packages/cli/" && cp -r packages/cli/dist/bundle "$lib/packages/cli/dist/"
sh scripts/slim.sh "$lib/packages/cli"
for program in apps/container/native/build/*; do install -D -m 755 "$program" "$lib/$program"; done
for script in "${SCRIPTS[@]}"; do install -m 644 "scripts/$script" "$lib/scripts/$script"; done
chmod 755 "$lib/scripts/postgres.sh"
install -m 755 packaging/teardown.sh "$lib/scripts/teardown.sh"
install -D -m 755 packaging/berth "$stage/usr/bin/berth"
install -D -m 644 packaging/berth.conf "$stage/etc/berth/berth.conf"
install -D -m 644 packaging/tmpfiles.conf "$stage/usr/lib/tmpfiles.d/berth.conf"
for unit in packaging/systemd/*; do install -D -m 644 "$unit" "$stage/lib/systemd/system/$(basename "$unit")"; done
install -D -m 644 packaging/debian/copyright "$stage/usr/share/doc/berth/copyright"
for page in docs/*.md; do install -m 644 "$page" "$stage/usr/share/doc/berth/"; done
gzip -9nc CHANGELOG.md >"$stage/usr/share/doc/berth/changelog.gz"

# At a purge the package's own scripts are gone.
purge_host_containerd=$(sed -n '/^purge_host_containerd/,/^}/p' scripts/leftovers.sh)
size=$(du -sk --apparent-size --exclude=DEBIAN "$stage" | cut -f1)
for script in preinst postinst prerm postrm; do
  text=$(<"packaging/debian/$script")
  text=${text/@PURGE_HOST_CONTAINERD@/"$purge_host_containerd"}
  printf '%s\n' "${text/@MEBIBYTES@/$((size / 1024 + 32))}" >"$stage/DEBIAN/$script"
  chmod 755 "$stage/DEBIAN/$script"
done
install -m 644 packaging/debian/conffiles "$stage/DEBIAN/conffiles"
(cd "$stage" && find . -path ./DEBIAN -prune -o -type f -printf '%P\0' | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
chmod -R u=rwX,go=rX "$stage"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || date +%s)
export SOURCE_DATE_EPOCH
for revision in "${revisions[@]}"; do
  version=$(node -p 'require("./package.json").version')-$revision
  sed -e "s/@VERSION@/$version/; s/@ARCH@/$arch/; s/@SIZE@/$size/" packaging/debian/control >"$stage/DEBIAN/control"
  archive=$cache/berth_${version}_$arch.deb
  dpkg-deb --root-owner-group -Zzstd -b "$stage" "$archive" >/dev/null
  step package "$archive ($(du -h "$archive" | cut -f1); $((size / 1024)) MB installed)"
done
