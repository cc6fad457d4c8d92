#!/usr/bin/env bash
# npm run compose-test: builds the images of docker-compose.yml with Debian's dockerd, and again with a Berth, from base images made here,
# and compares them. Runs the directory's on that Berth, and the whole stack on dockerd: up, a container, a killed service, teardown, down.
# Needs root, debootstrap, buildah and Debian's mirror; takes about twenty minutes.
set -euo pipefail
# shellcheck source=scripts/settings.sh
. "$(dirname "$0")/settings.sh"
# shellcheck source=scripts/packages.sh
. scripts/packages.sh
# shellcheck source=scripts/leftovers.sh
. scripts/leftovers.sh

home=${BERTH_TEST_STACK:-$root/.cache/stack}
mkdir -p "$home"/{docker,bases}
# An engine of its own, with the containerd that a host with Docker has. It leaves the host's packet filter alone.
place=/run/berth-stack
export DOCKER_HOST=unix://$place/docker.sock COMPOSE_PROJECT_NAME=berthstack DOCKER_BUILDKIT=0 COMPOSE_DOCKER_CLI_BUILD=0
export BERTH_INSTANCE=stk BERTH_STATE=$home/state BERTH_RUN=$place/berth BERTH_SUBNET=10.63.0.0/16 BERTH_LISTEN=127.0.0.1:12375
export BERTH_SOCKET=$BERTH_RUN/berth.sock BERTH_CONTAINERD=$place/containerd.sock POSTGRES_PASSWORD=stack-secret POSTGRES_PORT=15432
export POSTGRES_IMAGE=berth/postgres-for-test HOST_PID=$$
compose=(docker-compose --project-directory "$root" -f docker-compose.yml -f "$home/override.yml")
# The Berth that builds.
builder=$place/builder
children=()

check() {
  local what=$1
  shift
  if "$@" >"$home/check.log" 2>&1; then
    printf 'ok      %s\n' "$what"
  else
    cat "$home/check.log" >&2
    "${compose[@]}" logs --tail 30 >&2 || true
    fail "$what: $*"
  fi
}
not() { ! "$@"; }
# patient COMMAND...: up to two minutes.
patient() {
  local end=$((SECONDS + 120))
  until "$@"; do
    [ $SECONDS -lt $end ] || return 1
    sleep 1
  done
}
ours() { docker -H "unix://$BERTH_SOCKET" "$@"; }
# built COMMAND...: runs it against the Berth that builds.
built() { DOCKER_HOST=unix://$builder/berth.sock "$@"; }
page() { [ "$(curl -fsS --max-time 5 http://127.0.0.1:18080/from-host)" = "of the host" ]; }
# healthy COUNT: whether so many of the stack's containers are.
healthy() { [ "$(docker ps --filter health=healthy --format '{{.Names}}' | grep -c berthstack)" = "$1" ]; }
# The page leads to the scripts and styles that it names.
console() {
  local address=http://127.0.0.1:7780 asset
  for asset in $(curl -fsS --max-time 5 "$address/" | grep -o '/assets/[^"]*' | sort -u); do
    curl -fsS --max-time 5 -o /dev/null "$address$asset" || return 1
  done
  [ -n "${asset:-}" ]
}

start_engine() {
  mkdir -p "$place"
  printf 'version = 2\nroot = "%s"\nstate = "%s"\ndisabled_plugins = ["io.containerd.grpc.v1.cri"]\n[grpc]\naddress = "%s"\n' \
    "$home/containerd" "$place/containerd" "$place/containerd.sock" >"$home/containerd.toml"
  containerd --config "$home/containerd.toml" >"$home/containerd.log" 2>&1 &
  children+=($!)
  patient test -S "$place/containerd.sock"
  # Unpacked, Debian's dockerd lacks the init of another package; ours is called as that one.
  dockerd --containerd "$place/containerd.sock" --host "$DOCKER_HOST" --data-root "$home/docker" --exec-root "$place/exec" \
    --pidfile "$place/docker.pid" --iptables=false --bridge=none \
    --init-path "$root/apps/container/native/build/init" >"$home/dockerd.log" 2>&1 &
  children+=($!)
  patient docker version >/dev/null 2>&1
}

end_engine() {
  local status=$? pid
  trap - EXIT
  [ "$status" = 0 ] || { "${compose[@]}" stop -t 5 container && "${compose[@]}" run --rm container teardown; } >/dev/null 2>&1 || true
  "${compose[@]}" down -v -t 5 >/dev/null 2>&1 || true
  [ ! -e "$builder" ] || end_builder >/dev/null 2>&1 || true
  for pid in "${children[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait "${children[@]}" 2>/dev/null || true
  umount "$place/exec/netns/default" 2>/dev/null || true
  rm -rf "${place:?}"
  exit "$status"
}

# What Docker Hub would give: node and Postgres on Debian.
make_bases() {
  if [ ! -e "$home/bases/debian.tar" ]; then
    rm -rf "$home/bases/root"
    debootstrap --variant=minbase --include=ca-certificates bookworm "$home/bases/root" "$(debian_mirror)" >"$home/bases/log"
    # A registry behind a proxy with a certificate of its own.
    cp /etc/ssl/certs/ca-certificates.crt "$home/bases/root/etc/ssl/certs/"
    rm -rf "$home/bases/root/var/cache/apt/archives"/*.deb "$home/bases/root/var/lib/apt/lists"/*
    tar c -C "$home/bases/root" . >"$home/bases/debian.tar.part"
    mv "$home/bases/debian.tar.part" "$home/bases/debian.tar"
  fi
  docker image inspect debian:bookworm-slim >/dev/null 2>&1 || docker import "$home/bases/debian.tar" debian:bookworm-slim >/dev/null
  local node=$home/bases/node
  mkdir -p "$node/lib"
  cp "$(readlink -f "$(command -v node)")" "$node/node"
  cp -rL "$(dirname "$(readlink -f "$(command -v npm)")")/.." "$node/npm"
  cat >"$node/Dockerfile" <<'END'
FROM debian:bookworm-slim
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx \
 && groupadd --gid 1000 node && useradd --uid 1000 --gid node --create-home node
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
END
  docker build -q -t node:22-bookworm-slim "$node" >/dev/null
  mkdir -p "$home/bases/postgres"
  cat >"$home/bases/postgres/start" <<'END'
#!/bin/bash
# As the official image: a cluster with the user, password and database of the environment.
set -e
bin=/usr/lib/postgresql/15/bin
data=/var/lib/postgresql/data
if [ ! -e $data/PG_VERSION ]; then
  install -d -o postgres -g postgres -m 700 $data
  echo "$POSTGRES_PASSWORD" >/tmp/pass && chown postgres /tmp/pass
  runuser -u postgres -- $bin/initdb -D $data -U "$POSTGRES_USER" --pwfile=/tmp/pass --auth=scram-sha-256 >/dev/null
  echo "host all all all scram-sha-256" >>$data/pg_hba.conf
  echo "create database \"$POSTGRES_DB\"" | runuser -u postgres -- $bin/postgres --single -D $data postgres >/dev/null
fi
exec runuser -u postgres -- $bin/postgres -D $data -c 'listen_addresses=*'
END
  cat >"$home/bases/postgres/Dockerfile" <<'END'
FROM debian:bookworm-slim
RUN apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends postgresql-15
COPY start /start
CMD ["bash", "/start"]
END
  docker build -q --network host -t "$POSTGRES_IMAGE" "$home/bases/postgres" >/dev/null
}

write_override() {
  {
    printf 'services:\n'
    printf '  directory:\n    build: { network: host }\n'
    printf '  container:\n    build: { network: host }\n'
    # A machine that lacks a capability cannot give all of them, which is what privileged means.
    local bound
    bound=$(sed -n 's/^CapBnd:\s*//p' /proc/self/status)
    if [ $((0x$bound >> 24 & 1)) = 0 ]; then
      printf '    privileged: false\n    security_opt: ["apparmor:unconfined", "seccomp:unconfined"]\n'
      printf '    cap_add: [SYS_ADMIN, SYS_PTRACE, SYS_CHROOT, NET_ADMIN, NET_RAW, NET_BIND_SERVICE, MKNOD, DAC_OVERRIDE, DAC_READ_SEARCH, FOWNER, FSETID, CHOWN, SETUID, SETGID, SETPCAP, SETFCAP, KILL, SYS_RAWIO, SYS_NICE, SYS_TIME, SYS_BOOT, SYS_PACCT, SYS_MODULE, SYS_TTY_CONFIG, LEASE, AUDIT_WRITE, AUDIT_CONTROL, IPC_LOCK, IPC_OWNER, LINUX_IMMUTABLE, NET_BROADCAST, SYSLOG, WAKE_ALARM, BLOCK_SUSPEND, MAC_ADMIN, MAC_OVERRIDE]\n'
    fi
  } >"$home/override.yml"
}

# with_builder COMMAND...: runs it with the settings of the Berth that builds, which are none of the stack's.
with_builder() {
  local name without=()
  for name in $(compgen -e | grep -E '^(BERTH_|DATABASE_URL$)'); do without+=(-u "$name"); done
  env "${without[@]}" BERTH_CONF=/dev/null "BERTH_STATE=$home/builder" "BERTH_RUN=$builder" "BERTH_BIN=$place/bin" BERTH_INSTANCE=stkb \
    BERTH_SUBNET=10.64.0.0/16 BERTH_DIRECTORY_LISTEN=127.0.0.1:17791 BERTH_DEMO_PORT=18091 "$@"
}
start_builder() { with_builder bash scripts/start.sh; }
end_builder() { with_builder bash scripts/stop.sh --purge; }

# Berth gets the bases that dockerd has.
give_bases() { docker save debian:bookworm-slim node:22-bookworm-slim "$POSTGRES_IMAGE" | built docker load; }

# contents_of IMAGE: how it runs, and what it adds to its base.
contents_of() {
  local field
  for field in User ExposedPorts Env Entrypoint Cmd Volumes WorkingDir Labels Healthcheck; do
    printf '%s %s\n' "$field" "$(docker image inspect -f "{{json .Config.$field}}" "$1")"
  done | sed -E 's/ (\[\]|\{\})$/ null/'
  # A folder's size is its file system's.
  docker run --rm --network none --user root --entrypoint find "$1" /srv /usr/local /var/lib \
    \( -type d -printf '%M %u %p\n' -o -printf '%M %u %s %p %l\n' \) | LC_ALL=C sort
}
is_the_same() {
  rm -f "$home/of-docker" "$home/of-berth"
  contents_of "$1" >"$home/of-docker" && built contents_of "$1" >"$home/of-berth" && [ "$(wc -l <"$home/of-docker")" -gt 1000 ] &&
    diff "$home/of-docker" "$home/of-berth" | head -n 40
  cmp -s "$home/of-docker" "$home/of-berth"
}

has_command buildah || install_packages buildah
has_command dockerd || unpack_docker
has_command dockerd || PATH=$PATH:$root/.cache/docker/usr/sbin
trap end_engine EXIT
write_override
start_engine
# Of a run that was killed.
"${compose[@]}" down -v -t 5 >/dev/null 2>&1 || true
step bases "making node, debian and postgres"
make_bases
step images "building"
before=$SECONDS
check "the images build" "${compose[@]}" build
step images "built in $((SECONDS - before)) s"
before=$SECONDS
check "they build again from the cache" "${compose[@]}" build
step images "built again in $((SECONDS - before)) s"
docker images --format '  image       {{.Repository}} {{.Size}}' 'berth/*'
check "they carry OCI labels" sh -c "docker image inspect berth/container | grep -q 'org.opencontainers.image.title'"

step berth "starting one that builds"
check "a Berth starts" start_builder
check "it gets the base images" give_bases
before=$SECONDS
check "Berth builds the images" built "${compose[@]}" build directory container
step images "built by Berth in $((SECONDS - before)) s"
before=$SECONDS
check "Berth builds them again from its cache" built "${compose[@]}" build directory container
step images "built again by Berth in $((SECONDS - before)) s"
for image in berth/directory berth/container; do check "its $image is dockerd's" is_the_same $image; done
check "Postgres and the directory start on Berth" built "${compose[@]}" up -d postgres directory
check "they are healthy there" built patient healthy 2
check "berth works in that directory's container" built "${compose[@]}" exec -T directory berth users list
check "that directory serves its console" console
check "they go down there" built "${compose[@]}" down -v -t 5
check "that Berth leaves nothing behind" end_builder

rm -rf "$home/shared" && mkdir -p "$home/shared" && echo "of the host" >"$home/shared/from-host"
check "up" "${compose[@]}" up -d
check "all three are healthy" patient healthy 3
token=$("${compose[@]}" exec -T directory cat /var/lib/berth/admin-token)
check "the first token is in no log" not sh -c "docker logs \$(docker ps -qf name=directory) 2>&1 | grep -F '$token'"
check "berth works in the directory's container" "${compose[@]}" exec -T directory berth users list
check "the directory serves its console" console
node --input-type=module -e "
  import { loadBusybox } from '$root/scripts/busybox.mjs';
  await loadBusybox('unix:$BERTH_SOCKET', 'busybox:latest');"
check "a container starts, with a port and a folder of the host" \
  ours run -d --name web --restart always -p 18080:80 -v "$home/shared:/www:ro" busybox httpd -f -p 80 -h /www
check "its page is the host's" patient page
# A busy directory may make the first one ask again.
check "a user comes in by TCP" patient env DOCKER_HOST=tcp://127.0.0.1:12375 node -e "
  fetch('http://127.0.0.1:12375/containers/json', { headers: { authorization: 'Bearer $token' } }).then((answer) => process.exit(answer.ok ? 0 : 1));"
pid=$(ours inspect -f '{{.State.Pid}}' web)
check "the service is killed" docker kill --signal KILL "$(docker ps -qf name=berthstack_container)"
check "the container goes on" page
check "the service comes back" sh -c "docker start \$(docker ps -aqf name=berthstack_container)"
check "it is healthy" patient healthy 3
check "the container is the same process" test "$(ours inspect -f '{{.State.Pid}}' web)" = "$pid"
check "a restart of the service leaves it alone, too" "${compose[@]}" restart container
check "it is healthy after that" patient healthy 3
check "the page answers" page
check "teardown" "${compose[@]}" stop container
check "teardown takes the containers away" "${compose[@]}" run --rm container teardown
check "down" "${compose[@]}" down -v
check "the port is closed" not page
left=$(leftovers | grep -v "$place/containerd" || true)
[ -z "$left" ] || fail "these are left behind:"$'\n'"$left"
rm -rf "$home/state" "${BERTH_RUN:?}"
say "compose: ok"
