# shellcheck shell=bash
# The two services as background processes: a pid file each under BERTH_RUN, a log each under BERTH_STATE/log.
# Sourced, never run.

entry_of() { say "$root/apps/$1/dist/bundle/main.js"; }
log_of() { say "$BERTH_STATE/log/$1.log"; }

command_line_of() {
  if [ -r "/proc/$1/cmdline" ]; then
    tr '\0' ' ' <"/proc/$1/cmdline"
  else
    ps -p "$1" -o command= 2>/dev/null
  fi
}

# Prints the service's process id; fails where it does not run. A pid file alone proves nothing: ids are used again.
pid_of() {
  local pid
  pid=$(cat "$BERTH_RUN/$1.pid" 2>/dev/null) || return 1
  case $(command_line_of "$pid") in
    # An earlier version ran dist/main.js.
    *"/apps/$1/dist/"*"main.js"*) say "$pid" ;;
    *) return 1 ;;
  esac
}

# A process that ended and is still to be waited for has no command line.
is_alive() { kill -0 "$1" 2>/dev/null && [ -n "$(command_line_of "$1")" ]; }

# until_gone SECONDS PID: whether the process ended within that time.
until_gone() {
  local tenths=$(($1 * 10))
  while is_alive "$2"; do
    [ $((tenths -= 1)) -gt 0 ] || return 1
    sleep 0.1
  done
}

# Half a second, then twice as long each time, 8 seconds at most.
backoff() { if [ "$1" -gt 4 ]; then say 8; else say "$((5 << ($1 - 1)))" | sed 's/.$/.&/'; fi; }

# What lived this long did start: the next end is the first in a row.
# shellcheck disable=SC2034 # for the supervisors
SETTLED_SECONDS=10

# bound_log FILE: keeps a log below 16 MiB, with as much of what was before in FILE.1. Its writers append, so it is copied and emptied in place.
bound_log() {
  local size
  size=$(wc -c 2>/dev/null <"$1") || return 0
  [ "$size" -lt $((16 << 20)) ] || { cp -p "$1" "$1.1" && : >"$1"; }
}

# keep_log_bounded FILE: does that once a minute in the background, as long as this process lives. Sets `bounding`, the process to end.
keep_log_bounded() {
  local supervisor=$$
  (
    trap 'kill "$!"; exit 0' TERM
    while kill -0 "$supervisor"; do
      bound_log "$1"
      sleep 60 &
      wait $!
    done
  ) >/dev/null 2>&1 </dev/null 8>&- 9>&- &
  # shellcheck disable=SC2034 # for the supervisors
  bounding=$!
}

# settings_of SERVICE: the settings that it reads, and no other's, whose change would restart it for nothing.
settings_of() {
  local names
  names=$(grep -ohE '\b(BERTH_[A-Z0-9_]+|DATABASE_URL|(HTTPS?|NO)_PROXY)\b' "apps/$1/dist/config.js" | LC_ALL=C sort -u | paste -sd '|')
  env | grep -E "^($names|NODE_EXTRA_CA_CERTS|OTEL_[A-Z_]+)=" | LC_ALL=C sort
}

# What the service would run as now: its code and its settings. A change of either asks for a restart.
identity_of() {
  {
    find "apps/$1/dist/bundle" "apps/$1/drizzle" -type f \( -name '*.js' -o -name '*.sql' -o -perm -100 \) 2>/dev/null |
      LC_ALL=C sort | xargs cat pnpm-lock.yaml
    settings_of "$1"
  } | cksum
}

# Settings whose loss cuts clients off or hides the data.
is_kept() {
  case $1 in
    BERTH_SOCKET | BERTH_LISTEN | BERTH_TLS_LISTEN | BERTH_USER_SOCKETS | BERTH_DIRECTORY_LISTEN | *DATABASE_URL) ;;
    *) return 1 ;;
  esac
}

# Refuses to drop what Berth last ran with because a shell or a file does not set it: only a setting made today changes it.
# shellcheck disable=SC2154 # settings-file.sh sets both.
keep_what_it_ran_with() {
  local name was lost=()
  [ -e "$BERTH_STATE/settings" ] || return 0
  while IFS='=' read -r name was; do
    if ! is_kept "$name" || [ -z "$was" ] || [ "$was" = "${!name-}" ]; then continue; fi
    # A database's URL may hold a password.
    case $was in *://*@*) was="${was%%://*}://…@${was##*@}" ;; esac
    case " $given_settings " in
      *" $name "*) step settings "$name was $was" ;;
      *) lost+=("$name=$was") ;;
    esac
  done <"$BERTH_STATE/settings"
  [ ${#lost[@]} = 0 ] || fail "Berth last ran with these settings, and nothing sets them now:
$(printf '  %s\n' "${lost[@]}")
Set them again, best in $settings_file. To give one up, set it to nothing: ${lost[0]%%=*}= npm start"
}

# Marks the folders as Berth's, whose content a purge removes as a whole. npm start refuses folders with the files of others.
mark_folders() {
  mkdir -p "$BERTH_STATE/log" "$BERTH_RUN"
  touch "$BERTH_STATE/.berth" "$BERTH_RUN/.berth"
}

# is_berths FOLDER: an earlier version left its settings alone.
is_berths() { [ -e "$1/.berth" ] || [ -e "$1/settings" ]; }

record_settings() {
  (umask 077 && env | grep -E '^(BERTH_|DATABASE_URL=)' | LC_ALL=C sort | replace_file "$BERTH_STATE/settings") ||
    step settings "$BERTH_STATE/settings cannot be written; the next start compares with older ones"
}

# The services that `launch` started.
launched=()

# Starts the service unless it runs as it should; `ready` then waits for it, so that two can come up at once.
launch() {
  local service=$1 pid identity
  identity=$(identity_of "$service")
  if pid=$(pid_of "$service"); then
    if [ "$(cat "$BERTH_RUN/$service.identity" 2>/dev/null)" = "$identity" ]; then
      step "$service" "runs already (process $pid)"
      supervisor_of "$service" >/dev/null || start_supervisor "$service"
      return 0
    fi
    step "$service" "code or settings changed: restarting"
    stop_service "$service"
  fi
  stop_service "$service"
  say "$identity" >"$BERTH_RUN/$service.identity"
  start_supervisor "$service"
  launched+=("$service")
  step "$service" "starting (supervised by process $!)"
}

start_supervisor() {
  local detach='setsid'
  has_command setsid || detach='nohup'
  # 9 is the commands' lock, which a service must not keep.
  "$detach" bash "$root/scripts/supervise.sh" "$1" >/dev/null 2>>"$(log_of "$1")" </dev/null 9>&- &
  say $! >"$BERTH_RUN/$1.supervisor"
}

# Prints the process id of the service's supervisor; fails where none runs.
supervisor_of() {
  local pid
  pid=$(cat "$BERTH_RUN/$1.supervisor" 2>/dev/null) || return 1
  case $(command_line_of "$pid") in *"scripts/supervise.sh $1"*) say "$pid" ;; *) return 1 ;; esac
}

# ready SERVICE TARGET: waits until the service answers there, at most a minute.
ready() {
  node scripts/await-answer.mjs "$2" "$BERTH_RUN/$1" 60 "$(log_of "$1")" && return 0
  stop_service "$1"
  say "" >&2
  say "The end of $(log_of "$1"):" >&2
  tail -n 25 "$(log_of "$1")" | node scripts/show-log.mjs "$1"
  fail "the $1 service does not answer on $2"
}

# Ends the service and its supervisor; true also where they did not run.
stop_service() {
  local pid
  if pid=$(supervisor_of "$1"); then
    kill -TERM "$pid" 2>/dev/null
    until_gone 25 "$pid" || kill -KILL "$pid" 2>/dev/null
    step "$1" "stopped"
  fi
  # One that lost its supervisor.
  if pid=$(pid_of "$1"); then
    kill -TERM "$pid" 2>/dev/null
    until_gone 20 "$pid" || kill -KILL "$pid" 2>/dev/null
    step "$1" "stopped (process $pid)"
  fi
  rm -f "$BERTH_RUN/$1".{pid,identity,supervisor,failures}
}
