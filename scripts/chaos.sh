#!/usr/bin/env bash
# npm run chaos -- [ROUNDS] [SEED] [--kill PART[,PART...]]: kills parts of a Berth of its own at random moments of mixed traffic, and
# compares what clients were promised with what is there. Parts: service (unless told), containerd, postgres.
set -uo pipefail
# shellcheck source=scripts/settings.sh
. "$(dirname "$0")/settings.sh"
# shellcheck source=scripts/packages.sh
. scripts/packages.sh
# shellcheck source=scripts/build.sh
. scripts/build.sh

because=$(no_engine_because)
[ -z "$because" ] || fail "no chaos here: $because"
missing=()
while read -r package; do missing+=("$package"); done < <(missing_to_run)
[ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
install_npm_packages
build || fail "the build failed"
for name in $(compgen -e | grep '^BERTH_'); do unset "$name"; done
exec node chaos/chaos.mjs "$@"
