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
# shellcheck source=scripts/archives.sh
. scripts/archives.sh

dry=
case "${1:-}" in
  "") ;;
  --dry-run) dry=1 ;;
  *) fail "unknown argument: $1. Usage: npm run release [-- --dry-run]" ;;
esac

install_npm_packages
build || fail "the build failed"
pack_packages
[ -z "$dry" ] || exit 0
[ -z "$(git status --porcelain)" ] || fail "commit first: what is published has to be what is tagged"
exec changeset publish
