#!/usr/bin/env bash
# npm run redteam -- [SECONDS] [SEED] [ATTACK]: a limited user attacks a Berth of its own for that long (300 s unless told), while an
# administrator's calls are timed: half of it by each attack alone, the other half by all of them at once, or all of it by the one
# ATTACK. Fails where the user got beyond its limits, broke something or left something behind.
set -uo pipefail
# shellcheck source=scripts/own-berth.sh
. "$(dirname "$0")/own-berth.sh"

because=$(no_engine_because)
[ -z "$because" ] || fail "no red team here: $because"
[[ "${1:-300}" =~ ^[1-9][0-9]*$ && "${2:-1}" =~ ^[0-9]+$ && $# -le 3 ]] || fail "usage: npm run redteam -- [SECONDS] [SEED] [ATTACK]"
prepare_own_berth
REDTEAM_SECONDS=${1:-300} REDTEAM_SEED=${2:-1} REDTEAM_ATTACK=${3:-} exec node_modules/.bin/vitest run --project conformance conformance/tenants/red-team.test.ts
