# shellcheck shell=bash
# What the commands share: the root of the sources, the settings with their defaults, and how they speak.
# Sourced, never run.

node_version=$(node --version 2>/dev/null)
if ! [[ $node_version =~ ^v([0-9]+) ]] || [ "${BASH_REMATCH[1]}" -lt 20 ]; then
  printf 'berth: Node 20 or later is needed, and this is %s. With npm alone: npx --yes --package node@22 -- npm start\n' \
    "${node_version:-no Node at all}" >&2
  exit 1
fi

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 1
# Sbin may be missing from a root shell that came by su. The unpacked docker comes last: one that is installed is preferred.
export PATH="$root/node_modules/.bin:$PATH:/usr/local/sbin:/usr/sbin:/sbin:$root/.cache/docker/usr/bin"
export TURBO_TELEMETRY_DISABLED=1 DO_NOT_TRACK=1
# Memory that Node frees goes back to the system from 128 KiB on; glibc itself raises that, and each service keeps some 10 MiB.
export MALLOC_TRIM_THRESHOLD_=131072

if [ "$(id -u)" = 0 ]; then
  export BERTH_STATE=${BERTH_STATE:-/var/lib/berth}
  export BERTH_RUN=${BERTH_RUN:-/run/berth}
  export BERTH_BIN=${BERTH_BIN:-/usr/local/bin}
else
  export BERTH_STATE=${BERTH_STATE:-${XDG_STATE_HOME:-$HOME/.local/state}/berth}
  export BERTH_RUN=${BERTH_RUN:-$BERTH_STATE/run}
  export BERTH_BIN=${BERTH_BIN:-$HOME/.local/bin}
fi
export BERTH_SOCKET=${BERTH_SOCKET:-$BERTH_RUN/berth.sock}
export BERTH_INSTANCE=${BERTH_INSTANCE:-berth}
export BERTH_DIRECTORY_LISTEN=${BERTH_DIRECTORY_LISTEN:-127.0.0.1:7780}
export BERTH_DIRECTORY_URL=${BERTH_DIRECTORY_URL:-http${BERTH_DIRECTORY_TLS_CERT:+s}://$BERTH_DIRECTORY_LISTEN}
# directory and container: two hosts may share one directory.
export BERTH_SERVICES=${BERTH_SERVICES:-both}
export BERTH_DEMO_PORT=${BERTH_DEMO_PORT:-8080}

say() { printf '%s\n' "$*"; }
step() { printf '  %-11s %s\n' "$1" "$2"; }
fail() {
  printf '\nberth: %s\n' "$*" >&2
  exit 1
}

# runs_here SERVICE: whether this host is to run it.
runs_here() { case $BERTH_SERVICES in both | "$1") ;; *) return 1 ;; esac }

# replace_file PATH: writes the standard input there, whole or not at all; fails where the disk is full, and what was there stays.
replace_file() {
  cat >"$1.part" 2>/dev/null && mv -f "$1.part" "$1" && return 0
  rm -f "$1.part"
  return 1
}

# Why the container service can't run here; empty where it can. Its packages are looked at apart, since those can be installed.
no_engine_because() {
  if ! runs_here container; then
    say "BERTH_SERVICES is $BERTH_SERVICES"
  elif [ "$(uname -s)" != Linux ]; then
    say "containers need Linux, and this is $(uname -s)"
  elif [ "$(id -u)" != 0 ]; then
    say "containers need root, and you are $(id -un 2>/dev/null || id -u)"
  fi
}

# patiently STEP WHAT COMMAND...: runs the command, and says that it is still at it: by a bar that moves on a terminal, elsewhere by a line
# every five seconds.
patiently() {
  local name=$1 what=$2 before=$SECONDS ticker status
  shift 2
  # The last sleep outlives its loop, and must hold neither our output nor the commands' lock.
  if [ -t 1 ]; then
    (while sleep 1 >/dev/null 2>&1 9>&-; do moving_bar "$name" "$what" $((SECONDS - before)); done) &
  else
    (while sleep 5 >/dev/null 2>&1 9>&-; do step "$name" "still $what ($((SECONDS - before)) s)"; done) &
  fi
  ticker=$!
  "$@"
  status=$?
  kill "$ticker" 2>/dev/null
  wait "$ticker" 2>/dev/null
  [ ! -t 1 ] || printf '\r\033[K'
  return "$status"
}

# moving_bar STEP WHAT SECONDS: draws over its own line. Nobody knows how long the rest takes: the mark goes round.
moving_bar() {
  local track='--------------------' at=$(($3 % 18))
  printf '\r  %-11s %s [%s###%s] %s s\033[K' "$1" "$2" "${track:0:at}" "${track:at+3}" "$3"
}

# Two commands at once would start a service twice.
take_turn() {
  mkdir -p "$BERTH_RUN"
  command -v flock >/dev/null || return 0
  exec 9>"$BERTH_RUN/command.lock"
  flock -w 300 9 || fail "another npm start or npm stop has been busy for five minutes ($BERTH_RUN/command.lock)"
}
