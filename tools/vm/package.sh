#!/bin/bash
# Runs inside the machine of scripts/vm-test.sh, at each of its boots: installs the package, upgrades it under running containers,
# reboots, removes, installs again and purges. Prints a line for each check; "vm: ok" ends a good run. The emulated machine, which is slow,
# leaves out what namespaces show as well: what is killed, hangs or is interrupted.
set -uo pipefail
export DOCKER_HOST=unix:///run/berth/berth.sock HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
cd /root || exit 1
phase=$(cat phase 2>/dev/null || echo install)
started=$SECONDS
emulated=1
[ "$(systemd-detect-virt)" != container-other ] || emulated=
# Whether what fails leaves the rest worth a look.
going_on=

end() {
  sync
  poweroff -f
}
check() {
  local what=$1
  shift
  if "$@" >check.log 2>&1; then
    printf 'ok      %s (%s s)\n' "$what" "$((SECONDS - started))"
  else
    echo "FAILED  $what: $*"
    cat check.log
    [ -z "$going_on" ] || return 0
    journalctl -n 60 --no-pager -o cat -u berth-postgres -u berth-directory -u berth-container
    end
    sleep 60
  fi
}
not() { ! "$@"; }
# gone PATH...: whether none of them is there.
gone() {
  local path
  for path in "$@"; do [ ! -e "$path" ] || { echo "$path is there"; return 1; }; done
}
# until_true SECONDS COMMAND...: software emulation is slow.
until_true() {
  local end=$((SECONDS + $1 * (emulated ? 10 : 1)))
  shift
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $end ] || { echo "not within the time: $*"; "$@"; return 1; }
    sleep 1
  done
}
# prints TEXT COMMAND...: whether the command prints just that.
prints() {
  local wanted=$1 printed
  shift
  printed=$("$@")
  [ "$printed" = "$wanted" ] || { echo "wanted $wanted, got $printed"; return 1; }
}
active() { [ "$(systemctl is-active "$@" | sort -u)" = active ]; }
main_pid() { systemctl show -p MainPID --value "$1"; }
answers() { [ "$(curl -fsS --max-time 5 http://127.0.0.1:8080/)" = hello ]; }
# The page leads to the scripts and styles that it names.
console() {
  local address=http://127.0.0.1:7780 asset
  for asset in $(curl -fsS --max-time 5 "$address/" | grep -o '/assets/[^"]*' | sort -u); do
    curl -fsS --max-time 5 -o /dev/null "$address$asset" || return 1
  done
  [ -n "${asset:-}" ]
}
pid_of() { docker inspect -f '{{.State.Pid}}' "$1"; }
is_running() { [ "$(docker inspect -f '{{.State.Running}}' "$1")" = true ]; }
is_stopped() { [ "$(docker inspect -f '{{.State.Running}}' "$1")" = false ]; }
units=(berth-postgres berth-directory berth-container)
install_package() { DEBIAN_FRONTEND=noninteractive dpkg -i "$1"; }
has_version() { [[ $(dpkg-query -W -f '${Version} ${Status}' berth) = *"-$1 install ok installed" ]]; }
restarted() { local pid; pid=$(main_pid berth-container); [ "$pid" != 0 ] && [ "$pid" != "$1" ] && active berth-container && docker version; }
# How often a container that notes each of its starts has been started.
starts_of() { docker run --rm -v starts:/starts web grep -c "^$1\$" /starts/log; }
# The connection that was open before still brings lines.
still_beats() { local before; before=$(wc -l <beats); until_true 30 sh -c "[ \$(wc -l <beats) -gt $before ]"; }

# dpkg is killed as it unpacks, and told to unpack and to configure apart.
interrupted_upgrade() {
  install_package "$1" &
  local pid=$!
  until compgen -G '/usr/lib/berth/apps/*/dist/bundle/*.dpkg-new' >/dev/null; do kill -0 $pid 2>/dev/null || return 1; done
  pkill -KILL -x dpkg
  wait $pid
  not has_version 3
}

# What the kernel holds for a container: on control groups v2 a file of its one group, on v1 a file of a controller's.
group_file() {
  local pid path
  pid=$(pid_of "$1")
  path=$(sed -n "s/^0:://p" "/proc/$pid/cgroup")
  cat "/sys/fs/cgroup$path/$2"
}
stats_of() { curl -s --unix-socket /run/berth/berth.sock "http://localhost/containers/$1/stats?stream=false" | jq -c "$2"; }
is_close() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0 && b > 0 && a / b < 1.5 && b / a < 1.5) }' || { echo "$1 and $2"; return 1; }; }

# A disk without room for a folder, as a small one mounted there.
refused_on_full_disk() {
  local status=0
  mkdir -p "$1"
  mount -t tmpfs -o size=20m tmpfs "$1"
  install_package /root/first.deb || status=$?
  umount "$1" && rmdir "$1"
  [ $status != 0 ]
}
says() { grep -qF "$1" "$2" || { cat "$2"; return 1; }; }

# What is killed, hangs, is interrupted or set wrong.
faults() {
  local pid
  check "an upgrade is killed" interrupted_upgrade /root/third.deb
  check "the engine answers after it" docker ps
  check "it is unpacked alone" dpkg --unpack /root/third.deb
  check "the engine answers between" docker ps
  check "dpkg --configure -a ends the upgrade" dpkg --configure -a
  check "the newest version runs" has_version 3
  check "the units run after that" active "${units[@]}"
  check "the connection goes on, still" still_beats
  pid=$(main_pid berth-container)
  kill -KILL "$pid"
  check "a killed service comes back" until_true 60 restarted "$pid"
  check "the container outlived it" test "$(pid_of web)" = "$before"
  pid=$(main_pid berth-container)
  kill -STOP "$pid"
  check "the watchdog restarts one that hangs" until_true 180 restarted "$pid"
  check "the container outlived that, too" test "$(pid_of web)" = "$before"
  pid=$(main_pid berth-postgres)
  kill -KILL "$pid"
  check "a killed Postgres comes back" until_true 60 docker run --rm web true
  echo 'BERTH_POOL=many' >>/etc/berth/berth.conf
  check "a wrong setting stops the service" not systemctl restart berth-container
  check "and its journal names it" until_true 20 sh -c 'journalctl -u berth-container -o cat | grep -q "BERTH_POOL: want a whole number"'
  check "without a loop of restarts" not sh -c 'sleep 8; systemctl is-active berth-container'
  check "nor does it touch the container" answers
  sed -i '$d' /etc/berth/berth.conf
  systemctl reset-failed berth-container
  check "the service starts with the setting put right" systemctl start berth-container
  check "containerd restarts" systemctl restart containerd
  check "the container outlives that" until_true 60 docker exec web true
}

install_again() {
  check "installs again" install_package /root/third.deb
  check "the container is known" until_true 60 docker inspect web
  check "it starts again" docker start web
  check "its port answers" until_true 20 answers
}

# Where the host's containerd is off, the service has one of its own. The version before may be an old one.
with_its_own_containerd() {
  systemctl mask --now containerd >/dev/null 2>&1
  # Its layers are under its state, and the root is an overlay, which no other one takes as its upper layer.
  mkdir -p /var/lib/berth
  mount -t tmpfs tmpfs /var/lib/berth
  check "installs without the host's containerd" install_package /root/former.deb
  check "it uses its own" pgrep -f 'containerd --config /run/berth/'
  check "an image comes into it" sh -c 'tar c -C /root/image . | docker import -c "ENV PATH=/bin" - web'
  check "a container starts in it" docker run -d --restart always --name web -p 8080:80 web httpd -f -p 80 -h /www
  before=$(pid_of web)
  check "upgrades with it" install_package /root/third.deb
  check "the port answers after that" until_true 20 answers
  check "the container is the same process, here too" test "$(pid_of web)" = "$before"
  check "purges all at once" dpkg -P berth
  check "nothing is left of its files, here too" gone /var/lib/berth/* /run/berth /etc/berth /usr/lib/berth
  check "no process is left, here too" not pgrep -f '/usr/lib/berth|containerd|postgres -D /var/lib/berth'
}

limits_on_v2() {
  check "docker info tells of control groups v2" prints 2 docker info -f '{{.CgroupVersion}}'
  check "a container has limits" docker run -d --name small --memory 32m --memory-swap 64m --cpus 0.2 --pids-limit 8 --cpu-shares 512 web sleep 1000
  check "its memory.max" prints 33554432 group_file small memory.max
  check "its memory.swap.max" prints 33554432 group_file small memory.swap.max
  check "its cpu.max" prints "20000 100000" group_file small cpu.max
  check "its pids.max" prints 8 group_file small pids.max
  check "its cpu.weight is below the usual" test "$(group_file small cpu.weight)" -lt 100
  check "stats tell its memory" is_close "$(stats_of small .memory_stats.usage)" "$(group_file small memory.current)"
  check "stats tell its limit" prints 33554432 stats_of small .memory_stats.limit
  check "stats tell its processes" prints "$(group_file small pids.current)" stats_of small .pids_stats.current
  check "docker stats shows it" sh -c "docker stats --no-stream small | grep -q '32MiB'"
  check "processes beyond the limit are refused" sh -c \
    "docker exec small sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do sleep 9 & done' 2>&1 | grep -qi 'fork'"
  # The processes of before may still be there, up to the limit.
  check "it is kept busy" until_true 60 docker exec -d small sh -c 'while :; do :; done'
  check "time beyond the limit is not given" until_true 60 sh -c "grep -Eq '^nr_throttled [1-9]' /sys/fs/cgroup$(sed -n 's/^0:://p' "/proc/$(pid_of small)/cgroup")/cpu.stat"
  check "stats tell of that" until_true 30 sh -c "curl -s --unix-socket /run/berth/berth.sock 'http://localhost/containers/small/stats?stream=false' | jq -e '.cpu_stats.throttling_data.throttled_periods > 0 and .cpu_stats.cpu_usage.total_usage > 0'"
  check "an update changes the limits" docker update --memory 48m --memory-swap 48m --cpus 0.5 --pids-limit 20 small
  check "memory.max follows" prints 50331648 group_file small memory.max
  check "cpu.max follows" prints "50000 100000" group_file small cpu.max
  check "pids.max follows" prints 20 group_file small pids.max
  check "pauses" docker pause small
  check "cgroup.freeze is set" prints 1 group_file small cgroup.freeze
  check "goes on" docker unpause small
  check "cgroup.freeze is cleared" prints 0 group_file small cgroup.freeze
  docker run --name greedy --memory 32m --memory-swap 32m web tail /dev/zero
  check "memory beyond the limit ends the container" prints "137 true" docker inspect -f '{{.State.ExitCode}} {{.State.OOMKilled}}' greedy
  check "docker events tells of it" sh -c "docker events --since 10m --until 0s --filter container=greedy --filter event=oom | grep -q oom"
  check "removes them" docker rm -f small greedy
}

echo "boot at phase $phase, kernel $(uname -r)"
case $phase in
  install)
    check "is a machine with systemd" test -d /run/systemd/system
    # Without an emulated machine, the control groups are those of the machine below.
    if [ -n "$emulated" ]; then
      check "has control groups v2" test -f /sys/fs/cgroup/cgroup.controllers
      mkdir -p /etc/systemd/system/berth-.service.d
      printf '[Service]\nTimeoutStartSec=1800\nWatchdogSec=900\n' >/etc/systemd/system/berth-.service.d/slow.conf
    fi
    check "has no compiler and no Node" not command -v gcc node
    for folder in /usr/lib/berth /var/lib/berth; do
      check "is not installed where $folder is full" refused_on_full_disk "$folder"
      cp check.log refused.log
      check "and says so" says "MiB free in $folder, and" refused.log
      check "with nothing of it left" gone /usr/lib/berth /var/lib/berth /run/berth /etc/berth /usr/bin/berth
    done
    /root/image/bin/busybox httpd -f -p 127.0.0.1:7780 -h /root/image/www &
    holder=$!
    check "installs, where another program has the directory's port" install_package /root/first.deb
    cp check.log taken.log
    check "and says so" says "berth-directory.service does not start" taken.log
    check "with the setting" says "BERTH_DIRECTORY_LISTEN: 127.0.0.1:7780 is in use" taken.log
    kill "$holder"
    check "the port is free" systemctl restart "${units[@]}"
    check "the units run" active "${units[@]}"
    check "the units are enabled" systemctl is-enabled "${units[@]}"
    check "the engine answers" docker version
    check "it uses the host's containerd" not pgrep -f 'containerd --config /run/berth/'
    check "berth is on PATH, with root's token" berth users list
    check "the directory serves its console" console
    check "and the reference of its API" curl -fsS -o /dev/null http://127.0.0.1:7780/api/reference/{script.js,style.css}
    check "the first token is in no journal" not grep -qF "$(cat /var/lib/berth/admin-token)" <(journalctl --no-pager -o cat)
    check "an image comes in" sh -c 'tar c -C /root/image . | docker import -c "ENV PATH=/bin" - web'
    check "a container starts" docker run -d --restart always --name web -p 8080:80 -v starts:/starts --memory 64m web \
      sh -c 'echo web >>/starts/log; exec httpd -f -p 80 -h /www'
    check "its port answers" until_true 20 answers
    for policy in unless-stopped on-failure no; do
      check "one with restart policy $policy starts" docker run -d --restart $policy --name "$policy" -v starts:/starts web \
        sh -c "echo $policy >>/starts/log; exec sleep 100000"
    done
    check "one is stopped" sh -c "docker run -d --restart unless-stopped --name stopped web sleep 100000 && docker stop -t 0 stopped"
    going_on=1
    [ ! -f /sys/fs/cgroup/cgroup.controllers ] || limits_on_v2
    going_on=
    curl -sN http://127.0.0.1:8080/cgi-bin/beat >beats &
    beats=$!
    check "a connection is open" still_beats
    before=$(pid_of web)
    check "upgrades" install_package /root/second.deb
    check "the new version runs" has_version 2
    check "the units run after it" active "${units[@]}"
    check "the port answers after it" answers
    check "the container is the same process" test "$(pid_of web)" = "$before"
    check "the connection goes on" still_beats
    [ -n "$emulated" ] || faults
    check "the connection outlived it all" still_beats
    kill "$beats"
    echo 'BERTH_LOG_LEVEL=debug' >>/etc/berth/berth.conf
    ufw --force enable >/dev/null 2>&1
    check "ufw gets its rules" until_true 60 sh -c 'iptables -S ufw-user-forward | grep -q -- "-j BERTH-FORWARD"'
    check "web started once so far" prints 1 starts_of web
    echo reboot >phase
    echo "phase took $((SECONDS - started)) s"
    sync
    systemctl reboot
    sleep 600
    ;;
  reboot)
    check "the units start at boot" until_true 180 active "${units[@]}"
    check "the container is back, with its port" until_true 120 answers
    check "so is the one that nobody stopped" until_true 60 is_running unless-stopped
    check "and the one that the reboot made fail" until_true 60 is_running on-failure
    check "but not the one without a policy" is_stopped no
    check "nor the one that was stopped" is_stopped stopped
    for name in web unless-stopped on-failure; do check "$name came back just once" prints 2 starts_of $name; done
    check "no did not" prints 1 starts_of no
    check "ufw has its rules again" until_true 60 sh -c 'iptables -S ufw-user-forward | grep -q -- "-j BERTH-FORWARD"'
    check "the settings file is the administrator's" grep -q BERTH_LOG_LEVEL=debug /etc/berth/berth.conf
    check "removes" dpkg -r berth
    check "the port is closed" not answers
    check "no process is left" not pgrep -f '/usr/lib/berth|containerd-shim|postgres -D /var/lib/berth'
    check "no table, bridge or namespace is left" not sh -c 'nft list tables | grep -q "berth"; ip -o link | grep -q berth0 || ip netns | grep -q berth'
    check "no rule is left" not sh -c 'iptables -S | grep BERTH'
    check "the state is kept" test -d /var/lib/berth/postgres/data
    check "the settings are kept" test -f /etc/berth/berth.conf
    [ -n "$emulated" ] || install_again
    check "purges" dpkg -P berth
    check "nothing is left of its files" gone /var/lib/berth /run/berth /etc/berth /usr/lib/berth
    check "nothing is left in containerd" not sh -c 'ctr namespaces list -q | grep -x berth'
    check "nothing is left in ufw" not sh -c 'iptables -S | grep BERTH'
    check "no unit is left" not systemctl cat berth-container
    [ -n "$emulated" ] || with_its_own_containerd
    echo "phase took $((SECONDS - started)) s"
    echo "vm: ok"
    end
    ;;
esac
