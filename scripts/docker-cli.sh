#!/usr/bin/env bash
# npm run docker-cli: installs the docker command without an engine, out of Debian's docker.io, where there is none.
set -uo pipefail
# shellcheck source=scripts/settings.sh
. "$(dirname "$0")/settings.sh"
# shellcheck source=scripts/packages.sh
. scripts/packages.sh

found=$(command -v docker)
case $found in
  "" | "$root"/.cache/*) ;;
  *) say "docker is here already: $found" && exit 0 ;;
esac
unpack_docker
mkdir -p "$BERTH_BIN" || fail "$BERTH_BIN cannot be written to; BERTH_BIN names another folder"
cp "$root/.cache/docker/usr/bin/docker" "$BERTH_BIN/docker" || fail "$BERTH_BIN cannot be written to; BERTH_BIN names another folder"
step docker "$BERTH_BIN/docker"
