#!/usr/bin/env bash
# npm run release -- --dry-run: builds and packs every published package into .cache/release, and checks what is in the archives.
# npm run release: the same, then publishes those whose version is new.
set -uo pipefail
# shellcheck source=scripts/settings.sh
. "$(dirname "$0")/settings.sh"
# shellcheck source=scripts/packages.sh
. scripts/packages.sh
# shellcheck source=scripts/build.sh
. scripts/build.sh

dry=
case "${1:-}" in
  "") ;;
  --dry-run) dry=1 ;;
  *) fail "unknown argument: $1. Usage: npm run release [-- --dry-run]" ;;
esac

install_npm_packages
build || fail "the build failed"
rm -rf .cache/release && mkdir -p .cache/release
for package in packages/*; do
  [ "$(node -p "require('./$package/package.json').private === true")" = false ] || continue
  # pnpm alone writes the versions of the workspace into what it packs.
  (cd "$package" && pnpm pack --pack-destination "$root/.cache/release" >/dev/null) || fail "$package could not be packed"
done
for archive in .cache/release/*.tgz; do
  wrong=$(node scripts/check-archive.mjs "$archive") || fail "$archive cannot be published:"$'\n'"$wrong"
  step packed "$archive"
done
[ -z "$dry" ] || exit 0
[ -z "$(git status --porcelain)" ] || fail "commit first: what is published has to be what is tagged"
exec changeset publish
