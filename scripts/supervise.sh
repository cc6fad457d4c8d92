#!/usr/bin/env bash
# supervise.sh SERVICE: runs the service, and starts it again whenever it ends, until SIGTERM. Its log says why it ended.
# $BERTH_RUN/SERVICE.pid names the service's process, $BERTH_RUN/SERVICE.supervisor this one.
set -uo pipefail
# shellcheck source=scripts/settings-file.sh
. "$(dirname "${BASH_SOURCE[0]}")/settings-file.sh"
# shellcheck source=scripts/settings.sh
. "$(dirname "${BASH_SOURCE[0]}")/settings.sh"
# shellcheck source=scripts/services.sh
. scripts/services.sh

service=${1:?usage: supervise.sh SERVICE}
log=$(log_of "$service")
pid='' stopping='' failures=0

# Runs the service to its end, or watches one that an earlier supervisor left. Sets `ended`: how it ended.
run_once() {
  local status
  if pid=$(pid_of "$service"); then
    note "adopted the running service (process $pid)"
    while [ -z "$stopping" ] && is_alive "$pid"; do sleep 1; done
    ended="ended"
    return
  fi
  # Logs come by the standard error. The output is dropped: the directory prints its first token there, which no log may hold.
  node "$(entry_of "$service")" >/dev/null 2>>"$log" </dev/null &
  pid=$!
  say "$pid" >"$BERTH_RUN/$service.pid"
  wait "$pid"
  status=$?
  if [ $status -gt 128 ]; then ended="was ended by SIG$(kill -l $status)"; else ended="ended with code $status"; fi
}

# In the log's own form: a JSON object a line.
note() {
  printf '{"level":40,"time":%s000,"service":"%s","msg":"supervisor: %s"}\n' "$(date +%s)" "$service" "$1" 2>/dev/null >>"$log"
}

say $$ >"$BERTH_RUN/$service.supervisor"
keep_log_bounded "$log"
trap 'stopping=1; [ -z "$pid" ] || kill -TERM "$pid" 2>/dev/null' TERM INT
while [ -z "$stopping" ]; do
  since=$SECONDS
  run_once
  [ -z "$stopping" ] || break
  [ $((SECONDS - since)) -lt $SETTLED_SECONDS ] || failures=0
  failures=$((failures + 1))
  say $failures >"$BERTH_RUN/$service.failures"
  pause=$(backoff $failures)
  note "the service $ended, $failures in a row; starting it again in $pause s"
  pid=
  # Interrupted by a signal, unlike a sleep in the foreground.
  sleep "$pause" &
  wait $!
done
if [ -n "$pid" ]; then
  until_gone 20 "$pid" || kill -KILL "$pid" 2>/dev/null
fi
kill "$bounding" 2>/dev/null
rm -f "$BERTH_RUN/$service".{pid,supervisor,failures}
