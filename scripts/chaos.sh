#!/usr/bin/env bash
# npm run chaos, fuzz or churn -- [ARGUMENT...]: what its program in chaos/ does to a Berth of its own:
#   chaos [ROUNDS] [SEED] [--kill PART[,PART...]]   kills service (unless told), containerd or postgres in mixed traffic
#   fuzz [COUNT] [SEED]                             asks mutated requests of the whole engine API
#   churn [MINUTES] [--running COUNT]               measures lifecycles, or the recovery of running containers
set -uo pipefail
# shellcheck source=scripts/own-berth.sh
. "$(dirname "$0")/own-berth.sh"

program=${1:?usage: scripts/chaos.sh chaos|fuzz|churn [ARGUMENT...]}
shift
because=$(no_engine_because)
[ -z "$because" ] || fail "no $program here: $because"
prepare_own_berth
exec node "chaos/$program.mjs" "$@"
