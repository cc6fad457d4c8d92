#!/usr/bin/env bash
# Stops all containers and takes everything of Berth off this machine but its state; the services must have stopped.
set -uo pipefail
PATH="/usr/lib/berth/bin:$PATH"
# shellcheck source=scripts/settings-file.sh
. "$(dirname "$0")/settings-file.sh"
# shellcheck source=scripts/settings.sh
. "$(dirname "$0")/settings.sh"
# shellcheck source=scripts/services.sh
. scripts/services.sh
# shellcheck source=scripts/packages.sh
. scripts/packages.sh
# shellcheck source=scripts/leftovers.sh
. scripts/leftovers.sh

[ -d "$BERTH_STATE/container" ] || exit 0
step containers "stopping all, and taking away their networks"
node "$(entry_of container)" teardown || fail "not everything could be taken away; the lines above say why"
left=$(leftovers | grep -v ': .*postgres -D ')
[ -z "$left" ] || fail "these are left behind:"$'\n'"$left"
[ ! -S "$BERTH_SOCKET" ] || rm -f "$BERTH_SOCKET"
rm -rf "${BERTH_RUN:?}/users"
