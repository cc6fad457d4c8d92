#!/usr/bin/env bash
# npm stop: ends the demo, every container, both services and our own containerd; leaves nothing behind but the state.
# npm stop -- --purge: removes the state too.
set -uo pipefail
# shellcheck source=scripts/settings.sh
. "$(dirname "$0")/settings.sh"
# shellcheck source=scripts/packages.sh
. scripts/packages.sh
# shellcheck source=scripts/services.sh
. scripts/services.sh

purge=
case "${1:-}" in
  "") ;;
  --purge) purge=1 ;;
  *) fail "unknown argument: $1. Usage: npm stop [-- --purge]" ;;
esac

say "Berth: stopping"
take_turn
if pid_of container >/dev/null; then node scripts/stop-containers.mjs || step containers "not all could be stopped by the service"; fi
stop_service container
stop_service directory

if [ -z "$(no_engine_because)" ]; then
  if [ -e "$(entry_of container)" ]; then
    node "$(entry_of container)" teardown >>"$(log_of container)" 2>&1 ||
      step teardown "failed: see $(log_of container)"
  fi
  # shellcheck source=scripts/leftovers.sh
  . scripts/leftovers.sh
  left=$(leftovers)
  [ -z "$left" ] || fail "these are left behind:"$'\n'"$left"
fi
rm -rf "${BERTH_SOCKET:?}" "$BERTH_RUN"/*.pid

if [ -n "$purge" ]; then
  # Only ever a folder that Berth itself made.
  [ ! -d "$BERTH_STATE/log" ] || rm -rf "${BERTH_STATE:?}"
  rm -rf "${BERTH_RUN:?}"
  step state "removed: $BERTH_STATE"
else
  step state "kept: $BERTH_STATE"
fi
say "Berth has stopped."
