#!/usr/bin/env bash
# npm run bench [-- ROUNDS]: create and start until the port answers, Berth against dockerd, interleaved on this machine. With BERTH_REFERENCE
#   (scripts/reference.sh) also against dockerd 28.5, and against podman where that is installed.
# npm run bench -- work [SECTIONS] [ROUNDS]: what a person waits for, against dockerd; sections are those of bench/work/tasks.mjs, by commas.
#   With BERTH_REFERENCE also against dockerd 28.5.
# npm run bench -- build [ROUNDS]: a context of ten layers, cold and cached, and one of 300 MB, against dockerd's classic builder.
# npm run bench -- memory [COUNT]: the memory of Berth and of dockerd, idle and with COUNT running containers (100).
# npm run bench -- responsive [SECONDS]: an administrator's pings while one client streams, loads, lists and reads logs.
# npm run bench -- places [HOSTS] [ROUNDS]: takes among 1,000 simulated hosts, and starts inside a place against outside.
# npm run bench -- directory [USERS]: a directory of a million users (or USERS) on Postgres, against postgres.js, slapd and argon2.
set -uo pipefail
# shellcheck source=scripts/settings.sh
. "$(dirname "$0")/settings.sh"
# shellcheck source=scripts/packages.sh
. scripts/packages.sh
# shellcheck source=scripts/build.sh
. scripts/build.sh

if [ "${1:-}" = directory ]; then
  shift
  [ "$(id -u)" = 0 ] || fail "no bench of the directory here: its databases are started by root, and you are $(id -un)"
  missing=()
  has_postgres || missing+=(postgresql)
  has_command slapd || missing+=(slapd)
  has_command ldapwhoami || missing+=(ldap-utils)
  [ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
  install_npm_packages
  build || fail "the build failed"
  exec node bench/directory/bench.mjs "$@"
fi

because=$(no_engine_because)
[ -z "$because" ] || fail "no bench here: $because"
missing=()
while read -r package; do missing+=("$package"); done < <(missing_to_run)
if [ "${1:-}" = responsive ]; then
  shift
  [ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
  install_npm_packages
  build || fail "the build failed"
  exec node bench/responsive/bench.mjs "$@"
fi
if [ "${1:-}" = places ]; then
  shift
  has_postgres || missing+=(postgresql)
  [ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
  install_npm_packages
  build || fail "the build failed"
  exec node bench/places/bench.mjs "$@"
fi
has_command iptables || missing+=(iptables)
ldconfig -p | grep -q 'libdevmapper\.so\.1\.02\.1' || missing+=(libdevmapper1.02.1)
[ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
has_command dockerd || unpack_docker
install_npm_packages
build || fail "the build failed"
if [ "${1:-}" = memory ]; then
  shift
  exec node bench/memory/bench.mjs "$@"
fi
if [ "${1:-}" = build ]; then
  shift
  has_command buildah || install_packages buildah
  exec node bench/build/bench.mjs "$@"
fi
if [ "${1:-}" = work ]; then
  shift
  has_command docker-registry || install_packages docker-registry
  has_command docker || unpack_docker
  exec node bench/work/bench.mjs "$@"
fi
exec node bench/start/bench.mjs "$@"
