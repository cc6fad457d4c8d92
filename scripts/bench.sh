#!/usr/bin/env bash
# npm run bench [-- ROUNDS]: create and start until the port answers, Berth against dockerd, interleaved on this machine.
set -uo pipefail
# shellcheck source=scripts/settings.sh
. "$(dirname "$0")/settings.sh"
# shellcheck source=scripts/packages.sh
. scripts/packages.sh
# shellcheck source=scripts/build.sh
. scripts/build.sh

because=$(no_engine_because)
[ -z "$because" ] || fail "no bench here: $because"
missing=()
while read -r package; do missing+=("$package"); done < <(missing_to_run)
has_command iptables || missing+=(iptables)
ldconfig -p | grep -q 'libdevmapper\.so\.1\.02\.1' || missing+=(libdevmapper1.02.1)
[ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
has_command dockerd || unpack_docker
install_npm_packages
build || fail "the build failed"
exec node bench/start/bench.mjs "$@"
