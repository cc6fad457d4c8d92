#!/usr/bin/env bash
# npm run redteam -- [SECONDS] [SEED]: a limited user attacks a Berth of its own for that long (300 s unless told), while an administrator's
# calls are timed. Fails where the user got beyond its limits, broke something or left something behind.
set -uo pipefail
# shellcheck source=scripts/settings.sh
. "$(dirname "$0")/settings.sh"
# shellcheck source=scripts/packages.sh
. scripts/packages.sh
# shellcheck source=scripts/build.sh
. scripts/build.sh

because=$(no_engine_because)
[ -z "$because" ] || fail "no red team here: $because"
[[ "${1:-300}" =~ ^[1-9][0-9]*$ && "${2:-1}" =~ ^[0-9]+$ && $# -le 2 ]] || fail "usage: npm run redteam -- [SECONDS] [SEED]"
missing=()
while read -r package; do missing+=("$package"); done < <(missing_to_run)
[ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
install_npm_packages
build || fail "the build failed"
for name in $(compgen -e | grep '^BERTH_'); do unset "$name"; done
REDTEAM_SECONDS=${1:-300} REDTEAM_SEED=${2:-1} exec node_modules/.bin/vitest run --project conformance conformance/tenants/red-team.test.ts
