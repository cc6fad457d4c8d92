#!/bin/bash
# The container service inside its own container, with the host's processes (pid: host) and privileges. It copies itself to the host's state
# folder and runs there, in the host's mount namespace: bind mounts, sockets, accounts and namespaces are the host's, containers belong to the
# host's containerd, and so they outlive this one.
#
#   serve       runs the service
#   teardown    stops all containers and takes away every trace of them but the state; run it before `docker compose down`
#   health      tells whether the engine answers
set -euo pipefail

state=${BERTH_STATE:-/var/lib/berth}
run=${BERTH_RUN:-/run/berth}
home=$state/service
# A process in the host's mount namespace; its first one, but on machines that keep that one to themselves.
host_pid=${HOST_PID:-1}
host=(nsenter --target "$host_pid" --mount --)
programs=(ip nft conntrack runc containerd-shim-runc-v2 setpriv ps mount)

fail() {
  printf 'berth: %s\n' "$*" >&2
  exit 1
}

on_host() { "${host[@]}" "$@"; }

check_host() {
  if [ "$$" = 1 ] || [ "$(cat /proc/1/comm)" = docker-init ]; then fail "this container needs the host's processes: pid: host"; fi
  local fault
  fault=$(on_host true 2>&1) || fail "this container needs the host's namespaces, with privileged: true: $fault"
  local missing=() program
  for program in "${programs[@]}"; do
    on_host sh -c "PATH=\$PATH:/usr/sbin:/sbin; command -v $program" >/dev/null || missing+=("$program")
  done
  [ ${#missing[@]} = 0 ] || fail "the host lacks ${missing[*]}. On Debian: apt-get install iproute2 nftables conntrack runc containerd util-linux procps"
}

# Docker's containerd, as a service of the host or as a child of dockerd.
find_containerd() {
  local socket
  for socket in "${BERTH_CONTAINERD:-}" /run/containerd/containerd.sock /run/docker/containerd/containerd.sock; do
    [ -z "$socket" ] || ! on_host test -S "$socket" || { printf '%s' "$socket"; return; }
  done
  fail "no containerd runs on the host: neither /run/containerd/containerd.sock nor Docker's own. Name its socket in BERTH_CONTAINERD."
}

# A whole copy or none, with this image's Node: shims of the host run its programs.
install_on_host() {
  local part=$home.part node
  node=$(readlink -f "$(command -v node)")
  on_host mkdir -p "$state" "$run"
  on_host rm -rf "$part"
  on_host mkdir "$part"
  tar c -C /srv/berth . -C "${node%/bin/node}" bin/node | on_host tar x -C "$part"
  on_host sh -c "rm -rf '$home.old' && { [ ! -e '$home' ] || mv '$home' '$home.old'; } && mv '$part' '$home' && rm -rf '$home.old'"
}

service() {
  local containerd
  containerd=$(find_containerd)
  exec "${host[@]}" env "PATH=$home/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" NODE_ENV=production MALLOC_TRIM_THRESHOLD_=131072 \
    "BERTH_STATE=$state" "BERTH_RUN=$run" "BERTH_CONTAINERD=$containerd" \
    "$home/bin/node" "$home/apps/container/dist/bundle/main.js" "$@"
}

case ${1:-serve} in
  serve)
    check_host
    install_on_host
    service
    ;;
  teardown)
    check_host
    [ -x "/proc/$host_pid/root$home/bin/node" ] || install_on_host
    service teardown
    ;;
  health)
    # Where the service runs: in the host's mount namespace, which what is run in this container joins.
    exec "$home/bin/node" -e "
      const request = { socketPath: process.env.BERTH_SOCKET || '$run/berth.sock', path: '/_ping' };
      require('http').get(request, (answer) => process.exit(answer.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1));"
    ;;
  *) fail "unknown command: $1. Known: serve, teardown, health" ;;
esac
