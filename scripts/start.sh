#!/usr/bin/env bash
# npm start: installs what is missing, builds, starts both services and a demo container. Safe to repeat.
# npm start -- --check: tells whether this machine is ready for that, and changes nothing.
set -uo pipefail
# shellcheck source=scripts/settings-file.sh
. "$(dirname "$0")/settings-file.sh"
# shellcheck source=scripts/settings.sh
. "$(dirname "$0")/settings.sh"
# shellcheck source=scripts/packages.sh
. scripts/packages.sh
# shellcheck source=scripts/build.sh
. scripts/build.sh
# shellcheck source=scripts/services.sh
. scripts/services.sh
# shellcheck source=scripts/command.sh
. scripts/command.sh

check=
case "${1:-}" in
  "") ;;
  --check) check=1 ;;
  *) fail "unknown argument: $1. Usage: npm start [-- --check]" ;;
esac

has_pglite() { needs_postgres && { [ -d "$BERTH_STATE/directory/db" ] || [ -d "$BERTH_STATE/container/db" ]; }; }

# Once: moves the databases that an earlier version kept in each service into the private Postgres.
carry_over_pglite() {
  stop_service container
  stop_service directory
  step postgres "carrying over the databases of an earlier version"
  node scripts/import-pglite.mjs
}

# Ends this command, and the services that it started, where Postgres does not start.
await_postgres() {
  local service
  [ -n "$postgres" ] || return 0
  wait "$postgres" || {
    for service in "${launched[@]}"; do stop_service "$service"; done
    exit 1
  }
  postgres=
  cat "$BERTH_RUN/postgres.said" && rm "$BERTH_RUN/postgres.said"
  # A service that gave up waiting is started again by its supervisor, and has that for a first failure.
  rm -f "$BERTH_RUN"/{directory,container}.failures
}

# Which rules settings have: they are in the code that was built.
rules_of_settings() { find packages/*/dist apps/{container,directory}/dist -name '*.js' -not -path '*/bundle/*' -exec cat {} + 2>/dev/null | cksum; }

because=$(no_engine_because)
missing=()
[ "$(uname -s)" != Linux ] || [ "$(id -u)" != 0 ] || while read -r package; do missing+=("$package"); done < <(missing_to_run)
if [ ${#missing[@]} -gt 0 ] && ! has_command apt-get; then
  because="these are missing and there is no apt-get to install them: ${missing[*]}"
  missing=()
fi

if [ -n "$check" ]; then
  say "Berth: looking at this machine"
  exec node scripts/preflight.mjs "${missing[@]}"
fi
say "Berth: starting with state in $BERTH_STATE"
node scripts/preflight.mjs --quiet "${missing[@]}" || fail "not started; nothing was changed. All checks: npm start -- --check"
keep_what_it_ran_with
[ -z "$because" ] || step containers "not here: $because"
[ -z "$because" ] || runs_here directory || fail "BERTH_SERVICES is container: nothing is left to start"
mark_folders
take_turn
if [ "$(id -u)" = 0 ]; then
  if [ ${#missing[@]} -gt 0 ]; then install_packages "${missing[@]}"; else step packages "all here"; fi
fi
chmod 700 "$BERTH_STATE/log" && chmod 711 "$BERTH_STATE"
# Beside the build: to make a database takes longer than to find that nothing is left to build.
postgres=
if needs_postgres; then
  bash scripts/postgres.sh start >"$BERTH_RUN/postgres.said" &
  postgres=$!
fi
install_npm_packages
rules=$(rules_of_settings)
build || fail "the build failed"
# The look at this machine asked the rules of the earlier build, and before the first there were none.
[ "$rules" = "$(rules_of_settings)" ] || node scripts/wrong-settings.mjs || fail "these settings are wrong; the services were not started"

if has_pglite; then
  await_postgres
  carry_over_pglite || fail "the databases of an earlier version could not be carried over"
fi
# They load their code while Postgres starts, and wait for it.
! runs_here directory || launch directory
[ -n "$because" ] || launch container
await_postgres
! runs_here directory || ready directory "$BERTH_DIRECTORY_URL/readyz"
if [ -z "$because" ]; then
  ready container "unix:$BERTH_SOCKET"
  step demo "starting"
  demo_url=$(node scripts/demo.mjs start) || {
    tail -n 15 "$(log_of container)" >&2
    fail "both services run; the demo container does not"
  }
fi
record_settings
link_command

cat <<END

Berth is running.

END
if [ -z "$because" ]; then
  cat <<END
  demo        $demo_url
  engine      docker context create berth --docker host=unix://$BERTH_SOCKET
              docker --context berth ps
END
  case $(command -v docker) in
    "" | "$root"/.cache/*) say "              (no docker command here: npm run docker-cli installs the client without an engine)" ;;
  esac
else
  cat <<END
  containers  not on this machine: $because.
END
  ! runs_here container || say "              On Debian, root gets them: sudo npm start"
  cat <<END
  port-spec   packages/port-spec works everywhere: see its README.md
END
fi
cat <<END
  directory   $BERTH_DIRECTORY_URL$(runs_here directory || say " (on another host)")
END
! runs_here directory || say "  token       $BERTH_STATE/admin-token (the first administrator's)"
cat <<END
  logs        $BERTH_STATE/log
  stop        npm stop (keeps the state; npm stop -- --purge removes it)

Started in $SECONDS s.
END
