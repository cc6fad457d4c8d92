#!/usr/bin/env bash
# Berth's private Postgres: one server for both services, in BERTH_STATE/postgres, on a Unix socket in BERTH_RUN/postgres.
#   postgres.sh start      makes the database where there is none, starts the server and waits until it answers; safe to repeat
#   postgres.sh stop       ends it; true also where it did not run
#   postgres.sh serve      makes the database where there is none, and runs the server in place of this process, for systemd
#   postgres.sh needed     tells by its exit code whether the settings name no other database
#   postgres.sh supervise  runs it in the foreground and restarts it whenever it ends, until SIGTERM
# Root runs it as the system user `berth-postgres`, any other user as itself.
set -uo pipefail
# shellcheck source=scripts/settings-file.sh
. "$(dirname "${BASH_SOURCE[0]}")/settings-file.sh"
# shellcheck source=scripts/settings.sh
. "$(dirname "${BASH_SOURCE[0]}")/settings.sh"
# shellcheck source=scripts/services.sh
. scripts/services.sh
# shellcheck source=scripts/packages.sh
. scripts/packages.sh

home=$BERTH_STATE/postgres
data=$home/data
sockets=$BERTH_RUN/postgres
log=$(log_of postgres)
if [ "$(id -u)" = 0 ]; then server_user=berth-postgres; else server_user=$(id -un); fi

# Quick ends in a row after which a start gives up.
MAX_FAILURES=3

# Sets `bin`: the programs of the version that made the data, or of the newest where there is none yet.
find_programs() {
  local wanted='*' programs=()
  [ ! -e "$data/PG_VERSION" ] || wanted=$(cat "$data/PG_VERSION")
  while read -r bin; do programs+=("$bin"); done < <(postgres_programs "$wanted")
  [ ${#programs[@]} -gt 0 ] && bin=${programs[0]} && return 0
  [ "$wanted" = '*' ] || fail "the database in $data is PostgreSQL $wanted's, which is not on this machine.
Install that version (apt-get install postgresql-$wanted), or move the data as docs/operations.md says under Back-up."
  fail "the database is missing: PostgreSQL 15 or newer is not on this machine.
Install it (Debian: apt-get install postgresql), or name a database with DATABASE_URL=postgres://user@host/name."
}

# Prints the folders with Postgres' programs, the newest version first: Debian's, then the one on the PATH.
postgres_programs() {
  local version folder
  for version in $(compgen -G "/usr/lib/postgresql/$1/bin/postgres" | cut -d/ -f5 | sort -rn); do
    say "/usr/lib/postgresql/$version/bin"
  done
  folder=$(dirname "$(command -v postgres || say .)")
  [ -x "$folder/initdb" ] || return 0
  # shellcheck disable=SC2254 # a pattern
  case $("$folder/postgres" -V | sed 's/^[^0-9]*\([0-9]*\).*/\1/') in $1) say "$folder" ;; esac
}

# Runs a program in place of this process, as the server's user.
exec_as_server() {
  cd "$home" || exit 1
  [ "$(id -u)" != 0 ] || exec setpriv --reuid "$server_user" --regid "$server_user" --clear-groups -- "$@"
  exec "$@"
}
as_server() { (exec_as_server "$@"); }

ensure_user() {
  [ "$(id -u)" = 0 ] || return 0
  id "$server_user" >/dev/null 2>&1 || useradd --system --user-group --no-create-home --home-dir /nonexistent \
    --shell /usr/sbin/nologin "$server_user" || fail "the system user $server_user cannot be made"
}

# The folders of the server's user, which it also has to be let through to.
make_folders() {
  local folder above
  mkdir -p "$BERTH_STATE/log" "$home" "$sockets" || fail "$home cannot be made"
  chmod 700 "$BERTH_STATE/log" "$home" "$sockets"
  chown "$server_user" "$home" "$sockets" || fail "$home cannot be given to $server_user"
  for folder in "$home" "$sockets"; do
    as_server test -w "$folder" 2>/dev/null && continue
    above=$(dirname "$folder")
    until as_server test -x "$(dirname "$above")" || [ "$above" = / ]; do above=$(dirname "$above"); done
    fail "$folder cannot be reached by $server_user, the user that Postgres runs as: chmod o+x $above"
  done
}

# Whole or not at all: a folder `data` is a database that was made to its end. It is brought to the disk once, as a whole: by one
# call where there is one (syncfs, of Linux), which takes a tenth of the time that the sync of its 1,264 files takes.
make_database() {
  local part=$home/data.part ctype=C.UTF-8
  [ ! -e "$data/PG_VERSION" ] || return 0
  [ -z "$(ls -A "$data" 2>/dev/null)" ] || fail "the database in $data is damaged: its file PG_VERSION is missing. $HEAL_DAMAGED"
  rmdir "$data" 2>/dev/null
  [ "$(uname -s)" != Darwin ] || ctype=en_US.UTF-8
  rm -rf "$part"
  {
    as_server "$bin/initdb" -D "$part" -U postgres --auth=peer --encoding=UTF8 --locale=C --lc-ctype=$ctype \
      --data-checksums --no-instructions --no-sync &&
      as_server "$bin/postgres" --single -F -D "$part" postgres <<<$'create role berth login\ncreate database berth owner berth' &&
      { sync -f "$part" 2>/dev/null || as_server "$bin/initdb" --sync-only -D "$part"; } &&
      mv "$part" "$data"
  } >>"$log" 2>&1 || {
    tail -n 10 "$log" >&2
    rm -rf "$part"
    fail "the database cannot be made in $data: $(explain_log)"
  }
}

# Space that is set aside. On a full disk the server is given it, to start and to write rows until there is space again.
RESERVE_MIB=32
# A segment of its log, and some more.
NEEDED_MIB=20

free_mib() { df -Pm "$home" 2>/dev/null | awk 'NR == 2 { print $4 }'; }

set_reserve() {
  local free
  free=$(free_mib)
  if [ "${free:-0}" -lt $NEEDED_MIB ]; then
    rm -f "$home/reserve"
  elif [ ! -e "$home/reserve" ] && [ "$free" -gt $((4 * RESERVE_MIB)) ] && has_command fallocate; then
    fallocate -l ${RESERVE_MIB}MiB "$home/reserve" 2>/dev/null || rm -f "$home/reserve"
  fi
}

# Written at each start: nobody but the server's user, the user who starts it and root gets in, and nothing listens on TCP.
write_settings() {
  local setting
  keep_current pg_hba.conf <<<'local all all peer map=berth'
  {
    say "berth $server_user postgres"
    say "berth $(id -un) postgres"
    say "berth $(id -un) berth"
  } | keep_current pg_ident.conf
  {
    cat <<END
listen_addresses = ''
unix_socket_directories = '$sockets'
unix_socket_permissions = 0700
cluster_name = '$BERTH_INSTANCE'
# Small: two services on one machine, whose rows fit into a few megabytes.
max_connections = 20
shared_buffers = 16MB
max_wal_size = 64MB
min_wal_size = 32MB
jit = off
max_parallel_workers_per_gather = 0
max_logical_replication_workers = 0
wal_level = minimal
max_wal_senders = 0
autovacuum_max_workers = 1
# A client that hangs in a transaction must not keep rows locked for good.
idle_in_transaction_session_timeout = 60s
timezone = UTC
log_timezone = UTC
log_line_prefix = '%m [%p] '
END
    for setting in ${BERTH_POSTGRES_OPTIONS:-}; do say "${setting%%=*} = '${setting#*=}'"; done
  } | keep_current postgresql.conf
}

# keep_current NAME: replaces that file of the data by the standard input. On a full disk the one of the last start does.
keep_current() {
  replace_file "$data/$1" || [ -s "$data/$1" ] || fail "$data/$1 cannot be written: is the disk full?"
}

identity() { cat "$data"/{postgresql,pg_hba,pg_ident}.conf <(say "$bin") "$root/scripts/postgres.sh" | cksum; }

supervisor_pid() {
  local pid
  pid=$(cat "$BERTH_RUN/postgres.pid" 2>/dev/null) || return 1
  case $(command_line_of "$pid") in *"scripts/postgres.sh supervise"*) say "$pid" ;; *) return 1 ;; esac
}

# Prints the server's process id, whoever started it; fails where it does not run.
server_pid() {
  local pid
  read -r pid 2>/dev/null <"$data/postmaster.pid" || return 1
  case "$(command_line_of "$pid") " in *"postgres -D $data "*) say "$pid" ;; *) return 1 ;; esac
}

# Fast shutdown ends clients and flushes; one that hangs is ended at once, and recovers from its log at the next start.
end_server() {
  kill -INT "$1" 2>/dev/null
  until_gone 30 "$1" || kill -QUIT "$1" 2>/dev/null
  until_gone 10 "$1" || kill -KILL "$1" 2>/dev/null
}

supervise() {
  local pid='' stopping='' failures=0 since
  if has_command flock; then
    exec 8>"$home/supervisor.lock"
    flock -n 8 || fail "a Postgres is supervised in $home already"
  fi
  say $$ >"$BERTH_RUN/postgres.pid"
  keep_log_bounded "$log"
  trap 'stopping=1; [ -z "$pid" ] || kill -INT "$pid" 2>/dev/null' TERM INT
  while [ -z "$stopping" ]; do
    since=$SECONDS
    if pid=$(server_pid); then
      note "adopted the running server (process $pid)"
      # Not a child: asked for once a second.
      while [ -z "$stopping" ] && is_alive "$pid"; do sleep 1; done
    else
      forget_stale_pid
      set_reserve
      (exec_as_server "$bin/postgres" -D "$data") >>"$log" 2>&1 </dev/null 8>&- &
      pid=$!
      wait "$pid"
    fi
    [ -z "$stopping" ] || break
    [ $((SECONDS - since)) -lt $SETTLED_SECONDS ] || failures=0
    failures=$((failures + 1))
    say $failures >"$BERTH_RUN/postgres.failures"
    note "the server ended (process $pid), $failures in a row: starting it again"
    pid=
    # Interrupted by a signal, unlike a sleep in the foreground.
    sleep "$(backoff $failures)" 8>&- &
    wait $!
  done
  [ -z "$pid" ] || end_server "$pid"
  kill "$bounding" 2>/dev/null
  rm -f "$BERTH_RUN/postgres.pid" "$BERTH_RUN/postgres.failures"
}

note() { say "$(date -u '+%F %T UTC') [supervisor] $*" 2>/dev/null >>"$log"; }

# After a reboot, or in a new container, the id in the file may be another program's, which Postgres would take for its own
# server. Backends outlive a killed server for a moment, and Postgres tells by this file that they do: it stays then.
forget_stale_pid() {
  [ -d /proc/self ] && ! find /proc/[0-9]*/cwd -maxdepth 0 -lname "$data" 2>/dev/null | grep -q . || return 0
  rm -f "$data/postmaster.pid"
}

# Everything that the server needs before it runs.
prepare() {
  find_programs
  ensure_user
  make_folders
  if has_command flock; then exec 7>"$home/start.lock" && flock 7; fi
  make_database
  write_settings
}

start() {
  local identity pid
  prepare
  identity=$(identity)
  if pid=$(supervisor_pid) && [ "$(cat "$BERTH_RUN/postgres.identity" 2>/dev/null)" != "$identity" ]; then
    step postgres "version or settings changed: restarting"
    stop
    pid=
  fi
  if [ -n "$pid" ]; then
    step postgres "runs already (process $pid)"
  else
    rm -f "$BERTH_RUN/postgres.failures"
    local detach='setsid'
    has_command setsid || detach='nohup'
    "$detach" bash "$root/scripts/postgres.sh" supervise >/dev/null 2>>"$log" </dev/null 7>&- 9>&- &
    pid=$!
    say "$pid" >"$BERTH_RUN/postgres.pid"
    say "$identity" >"$BERTH_RUN/postgres.identity"
    step postgres "starting (process $pid)"
  fi
  await_answer
}

# Waits at most a minute; what is amiss is said in the log.
await_answer() {
  local twentieths=1200
  until "$bin/pg_isready" -q -h "$sockets" -U berth -d berth; do
    if [ "$(cat "$BERTH_RUN/postgres.failures" 2>/dev/null || say 0)" -ge $MAX_FAILURES ] || [ $((twentieths -= 1)) -le 0 ]; then
      stop
      tail -n 10 "$log" >&2
      fail "Postgres does not start: $(explain_log)"
    fi
    sleep 0.05
  done
}

HEAL_DAMAGED='Restore a back-up (docs/operations.md), or move the folder away to begin with an empty one.'

# What the end of the log comes down to, and what to do.
explain_log() {
  case $(tail -n 30 "$log") in
    *'No space left on device'*) say "the disk of $BERTH_STATE is full. Free some space and start again; nothing is lost." ;;
    *'could not locate a valid checkpoint record'* | *'could not open file "global/pg_control"'* | *'could not read file "global/pg_control"'* | \
      *'incorrect checksum in control file'* | *'database files are incompatible with server'* | *'is not a valid data directory'* | *'invalid data in file "PG_VERSION"'*)
      say "the database in $data is damaged. $HEAL_DAMAGED" ;;
    *'configuration file "'*'contains errors'* | *'invalid value for parameter'* | *'unrecognized configuration parameter'*)
      say "BERTH_POSTGRES_OPTIONS has what Postgres does not take; the lines above name it." ;;
    *) say "the lines above, of $log, say why." ;;
  esac
}

serve() {
  prepare
  # The lock is for the preparation alone.
  exec 7>&-
  forget_stale_pid
  exec_as_server "$bin/postgres" -D "$data"
}

stop() {
  local pid
  if pid=$(supervisor_pid); then
    kill -TERM "$pid"
    until_gone 50 "$pid" || kill -KILL "$pid" 2>/dev/null
    step postgres "stopped (process $pid)"
  fi
  # One that lost its supervisor.
  if pid=$(server_pid); then
    end_server "$pid"
    step postgres "stopped (process $pid)"
  fi
  rm -f "$BERTH_RUN"/postgres.{pid,identity,failures}
}

case "${1:-}" in
  start) start ;;
  stop) stop ;;
  serve) serve ;;
  needed) needs_postgres ;;
  supervise) find_programs && supervise ;;
  *) fail "unknown argument: ${1:-none}. Usage: scripts/postgres.sh start|stop|serve|needed|supervise" ;;
esac
