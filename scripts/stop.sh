#!/usr/bin/env bash
# npm stop: ends the demo, every container, both services and our own containerd; leaves nothing behind but the state.
# npm stop -- --purge: removes the state too.
set -uo pipefail
# shellcheck source=scripts/settings-file.sh
. "$(dirname "$0")/settings-file.sh"
# shellcheck source=scripts/settings.sh
. "$(dirname "$0")/settings.sh"
# shellcheck source=scripts/packages.sh
. scripts/packages.sh
# shellcheck source=scripts/services.sh
. scripts/services.sh
# shellcheck source=scripts/command.sh
. scripts/command.sh
# shellcheck source=scripts/leftovers.sh
. scripts/leftovers.sh

purge=
case "${1:-}" in
  "") ;;
  --purge) purge=1 ;;
  *) fail "unknown argument: $1. Usage: npm stop [-- --purge]" ;;
esac

teardown() { node "$(entry_of container)" teardown 2>>"$(log_of container)"; }

say "Berth: stopping"
take_turn
if pid_of container >/dev/null; then
  node scripts/demo.mjs stop && step demo "removed"
fi
stop_service container
stop_service directory

if [ -z "$(no_engine_because)" ] && [ -d "$BERTH_STATE/container" ]; then
  # What is to be taken away is in the database.
  ! needs_postgres || bash scripts/postgres.sh start || exit 1
  [ -e "$(entry_of container)" ] || fail "the build is missing, which ends containers: npm run build, then npm stop again"
  step containers "stopping all, and taking away their networks"
  patiently containers "stopping them, each within its own stop timeout" teardown || {
    tail -n 15 "$(log_of container)" >&2
    fail "not everything could be taken away"
  }
fi
bash scripts/postgres.sh stop

if [ -z "$(no_engine_because)" ]; then
  left=$(leftovers)
  [ -z "$left" ] || fail "these are left behind:"$'\n'"$left"
fi
[ ! -S "$BERTH_SOCKET" ] || rm -f "$BERTH_SOCKET"
rm -f "$BERTH_RUN"/*.{pid,identity,supervisor,failures}

if [ -n "$purge" ]; then
  [ -n "$(no_engine_because)" ] || purge_host_containerd
  unlink_command
  for folder in "$BERTH_STATE" "$BERTH_RUN"; do
    if is_berths "$folder"; then
      rm -rf "${folder:?}"
      step state "removed: $folder"
    else
      # This command's own lock, where nothing ran.
      rm -f "$folder/command.lock"
      rmdir "$folder" 2>/dev/null || [ ! -e "$folder" ] || step state "kept: $folder is no folder of Berth's alone"
    fi
  done
else
  step state "kept: $BERTH_STATE"
fi
say "Berth has stopped."
