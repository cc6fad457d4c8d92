#!/bin/bash
# Runs inside the machine of scripts/vm-test.sh, at each of its boots: installs the package, upgrades it under a running container,
# reboots, removes, installs again and purges. Prints a line for each check; "vm: ok" ends a good run.
set -uo pipefail
export DOCKER_HOST=unix:///run/berth/berth.sock HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
cd /root || exit 1
phase=$(cat phase 2>/dev/null || echo install)
started=$SECONDS

end() {
  sync
  poweroff -f
}
check() {
  local what=$1
  shift
  if "$@" >check.log 2>&1; then
    echo "ok      $what"
  else
    echo "FAILED  $what: $*"
    cat check.log
    journalctl -n 60 --no-pager -o cat -u berth-postgres -u berth-directory -u berth-container
    end
    sleep 60
  fi
}
not() { ! "$@"; }
# until_true SECONDS COMMAND...: software emulation is slow.
until_true() {
  local end=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $end ] || { echo "not within the time: $*"; "$@"; return 1; }
    sleep 1
  done
}
active() { [ "$(systemctl is-active "$@" | sort -u)" = active ]; }
main_pid() { systemctl show -p MainPID --value "$1"; }
answers() { [ "$(curl -fsS --max-time 5 http://127.0.0.1:8080/)" = hello ]; }
web_pid() { docker inspect -f '{{.State.Pid}}' web; }
units=(berth-postgres berth-directory berth-container)
install_package() { DEBIAN_FRONTEND=noninteractive dpkg -i "$1"; }
restarted() { local pid; pid=$(main_pid berth-container); [ "$pid" != 0 ] && [ "$pid" != "$1" ] && active berth-container && docker version; }

echo "boot at phase $phase, kernel $(uname -r)"
case $phase in
  install)
    check "is a machine with systemd" test -d /run/systemd/system
    # Without an emulated machine, the control groups are those of the machine below.
    [ "$(systemd-detect-virt)" = container-other ] || check "has control groups v2" test -f /sys/fs/cgroup/cgroup.controllers
    check "has no compiler and no Node" not command -v gcc node
    check "installs" install_package /root/first.deb
    check "the units run" active "${units[@]}"
    check "the units are enabled" systemctl is-enabled "${units[@]}"
    check "the engine answers" docker version
    check "berth is on PATH, with root's token" berth users list
    check "the first token is in no journal" not grep -qF "$(cat /var/lib/berth/admin-token)" <(journalctl --no-pager -o cat)
    check "an image comes in" sh -c 'tar c -C /root/image . | docker import - web'
    check "a container starts" docker run -d --restart always --name web -p 8080:80 --memory 64m web /bin/busybox httpd -f -p 80 -h /www
    check "its port answers" until_true 20 answers
    before=$(web_pid)
    check "upgrades" install_package /root/second.deb
    check "the new version runs" sh -c 'dpkg -s berth | grep -q -- "^Version: .*-2$"'
    check "the units run after it" active "${units[@]}"
    check "the port answers after it" answers
    check "the container is the same process" test "$(web_pid)" = "$before"
    pid=$(main_pid berth-container)
    kill -KILL "$pid"
    check "a killed service comes back" until_true 60 restarted "$pid"
    check "the container outlived it" test "$(web_pid)" = "$before"
    pid=$(main_pid berth-container)
    kill -STOP "$pid"
    check "the watchdog restarts one that hangs" until_true 180 restarted "$pid"
    check "the container outlived that, too" test "$(web_pid)" = "$before"
    pid=$(main_pid berth-postgres)
    kill -KILL "$pid"
    check "a killed Postgres comes back" until_true 60 docker run --rm web /bin/busybox true
    echo 'BERTH_POOL=many' >>/etc/berth/berth.conf
    check "a wrong setting stops the service" not systemctl restart berth-container
    check "and its journal names it" until_true 20 sh -c 'journalctl -u berth-container -o cat | grep -q "BERTH_POOL: want a whole number"'
    check "without a loop of restarts" not sh -c 'sleep 8; systemctl is-active berth-container'
    check "nor does it touch the container" answers
    sed -i '$d' /etc/berth/berth.conf
    systemctl reset-failed berth-container
    check "the service starts with the setting put right" systemctl start berth-container
    echo 'BERTH_LOG_LEVEL=debug' >>/etc/berth/berth.conf
    ufw --force enable >/dev/null 2>&1
    check "ufw gets its rules" until_true 60 sh -c 'iptables -S ufw-user-forward | grep -q -- "-j BERTH-FORWARD"'
    echo reboot >phase
    echo "phase took $((SECONDS - started)) s"
    sync
    systemctl reboot
    sleep 600
    ;;
  reboot)
    check "the units start at boot" until_true 180 active "${units[@]}"
    check "the container is back, with its port" until_true 120 answers
    check "ufw has its rules again" until_true 60 sh -c 'iptables -S ufw-user-forward | grep -q -- "-j BERTH-FORWARD"'
    check "the settings file is the administrator's" grep -q BERTH_LOG_LEVEL=debug /etc/berth/berth.conf
    check "removes" dpkg -r berth
    check "the port is closed" not answers
    check "no process is left" not pgrep -f '/usr/lib/berth|containerd-shim|postgres -D /var/lib/berth'
    check "no table, bridge or namespace is left" not sh -c 'nft list tables | grep -q "berth"; ip -o link | grep -q berth0 || ip netns | grep -q berth'
    check "no rule is left" not sh -c 'iptables -S | grep BERTH'
    check "the state is kept" test -d /var/lib/berth/postgres/data
    check "the settings are kept" test -f /etc/berth/berth.conf
    check "installs again" install_package /root/second.deb
    check "the container is known" until_true 60 docker inspect web
    check "it starts again" docker start web
    check "its port answers" until_true 20 answers
    check "purges" dpkg -P berth
    check "nothing is left of its files" not ls -d /var/lib/berth /run/berth /etc/berth /usr/lib/berth
    check "nothing is left in containerd" not sh -c 'ctr namespaces list -q | grep -x berth'
    check "nothing is left in ufw" not sh -c 'iptables -S | grep BERTH'
    check "no unit is left" not systemctl cat berth-container
    echo "phase took $((SECONDS - started)) s"
    echo "vm: ok"
    end
    ;;
esac
