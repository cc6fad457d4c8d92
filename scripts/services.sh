# shellcheck shell=bash
# The two services as background processes: a pid file each under BERTH_RUN, a log each under BERTH_STATE/log.
# Sourced, never run.

entry_of() { say "$root/apps/$1/dist/main.js"; }
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
    *"/apps/$1/dist/main.js"*) say "$pid" ;;
    *) return 1 ;;
  esac
}

# What the service would run as now: its code and its settings. A change of either asks for a restart.
identity_of() {
  {
    find packages/*/dist "apps/$1/dist" "apps/$1/drizzle" -type f \( -name '*.js' -o -name '*.sql' -o -perm -100 \) 2>/dev/null |
      LC_ALL=C sort | xargs cat pnpm-lock.yaml
    env | grep -E '^(BERTH_|DATABASE_URL=)' | LC_ALL=C sort
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

record_settings() {
  (umask 077 && env | grep -E '^(BERTH_|DATABASE_URL=)' | LC_ALL=C sort >"$BERTH_STATE/settings")
}

# Starts the service unless it runs as it should; `ready` then waits for it, so that two can come up at once.
launch() {
  local service=$1 pid log identity
  log=$(log_of "$service")
  identity=$(identity_of "$service")
  if pid=$(pid_of "$service"); then
    if [ "$(cat "$BERTH_RUN/$service.identity" 2>/dev/null)" = "$identity" ]; then
      step "$service" "runs already (process $pid)"
      return 0
    fi
    step "$service" "code or settings changed: restarting"
    stop_service "$service"
  fi
  local detach='setsid'
  has_command setsid || detach='nohup'
  # Logs come by the standard error. The output is dropped: the directory prints its first token there, which no log may hold.
  # 9 is the commands' lock, which a service must not keep.
  "$detach" node --enable-source-maps "$(entry_of "$service")" >/dev/null 2>>"$log" </dev/null 9>&- &
  pid=$!
  say "$pid" >"$BERTH_RUN/$service.pid"
  say "$identity" >"$BERTH_RUN/$service.identity"
  step "$service" "starting (process $pid)"
}

# ready SERVICE TARGET: waits until the service answers there, at most a minute.
ready() {
  node scripts/await-answer.mjs "$2" "$(cat "$BERTH_RUN/$1.pid")" 60 "$(log_of "$1")" && return 0
  say "" >&2
  say "The end of $(log_of "$1"):" >&2
  tail -n 25 "$(log_of "$1")" >&2
  fail "the $1 service does not answer on $2"
}

# Ends the service; true also where it did not run.
stop_service() {
  local pid waited=0
  if pid=$(pid_of "$1"); then
    kill -TERM "$pid" 2>/dev/null
    while [ -n "$(pid_of "$1")" ] && [ $waited -lt 200 ]; do
      sleep 0.1
      waited=$((waited + 1))
    done
    [ -z "$(pid_of "$1")" ] || kill -KILL "$pid" 2>/dev/null
    step "$1" "stopped (process $pid)"
  fi
  rm -f "$BERTH_RUN/$1.pid" "$BERTH_RUN/$1.identity"
}
