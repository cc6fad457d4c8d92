#!/usr/bin/env bash
# npm run dev [-- --inspect]: both services from the sources, each restarted when a file that it imports changes. Containers go on
# over a restart. It is an instance of its own, beside a Berth that runs on this machine; its state is in .cache/dev. Ctrl-C ends it.
set -uo pipefail
export BERTH_INSTANCE=${BERTH_INSTANCE:-berthdev} BERTH_SUBNET=${BERTH_SUBNET:-172.30.0.0/16}
export BERTH_DIRECTORY_LISTEN=${BERTH_DIRECTORY_LISTEN:-127.0.0.1:7790}
export BERTH_STATE=${BERTH_STATE:-$(cd "$(dirname "$0")/.." && pwd)/.cache/dev}
# A socket's path has at most 107 bytes.
export BERTH_RUN=${BERTH_RUN:-/tmp/$BERTH_INSTANCE-$(id -u)}
# npm stop reads the settings file of the Berth that is installed here.
export BERTH_CONF=/dev/null
# shellcheck source=scripts/settings.sh
. "$(dirname "$0")/settings.sh"
# shellcheck source=scripts/packages.sh
. scripts/packages.sh
# shellcheck source=scripts/build.sh
. scripts/build.sh
# shellcheck source=scripts/services.sh
. scripts/services.sh

inspect=
case "${1:-}" in
  "") ;;
  --inspect) inspect=1 ;;
  *) fail "unknown argument: $1. Usage: npm run dev [-- --inspect]" ;;
esac

# watch SERVICE PORT: runs the service until it is ended, again whenever a file that it imports changes.
watch() {
  exec node --watch --watch-preserve-output --enable-source-maps ${inspect:+"--inspect=127.0.0.1:$2"} "apps/$1/dist/main.js" \
    2> >(exec node scripts/show-log.mjs "$1")
}

because=$(no_engine_because)
[ -z "$because" ] || step containers "not here: $because"
missing=()
[ -n "$because" ] || while read -r package; do missing+=("$package"); done < <(missing_to_run)
[ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
install_npm_packages
build || fail "the build failed"
mark_folders
! needs_postgres || bash scripts/postgres.sh start || exit 1

# Each child is a process group: the compiler and the watchers have children of their own.
set -m
children=()
finish() {
  trap - INT TERM EXIT
  kill -TERM -- "${children[@]/#/-}" 2>/dev/null
  wait "${children[@]}" 2>/dev/null
  bash scripts/stop.sh
}
trap finish INT TERM EXIT
tsc -b --watch --preserveWatchOutput &
children+=($!)
watch directory 9229 &
children+=($!)
if [ -z "$because" ]; then
  watch container 9230 &
  children+=($!)
fi
cat <<END

  directory   $BERTH_DIRECTORY_URL (token: $BERTH_STATE/admin-token)
${because:-  engine      export DOCKER_HOST=unix://$BERTH_SOCKET}
  Ctrl-C ends both services and their containers; the state stays in $BERTH_STATE.

END
wait
