#!/usr/bin/env bash
# npm run chaos -- [ROUNDS] [SEED] [--kill PART[,PART...]]: kills parts of a Berth of its own at random moments of mixed traffic, and
# compares what clients were promised with what is there. Parts: service (unless told), containerd, postgres.
set -uo pipefail
# shellcheck source=scripts/own-berth.sh
. "$(dirname "$0")/own-berth.sh"

because=$(no_engine_because)
[ -z "$because" ] || fail "no chaos here: $because"
prepare_own_berth
exec node chaos/chaos.mjs "$@"
