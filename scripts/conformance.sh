#!/usr/bin/env bash
# npm run conformance [-- SUITE...]: docker-py's tests, dockerode's tests, moby's tests and our own scenarios, first on a dockerd
# of their own, then on a Berth of their own; prints what passed where, and fails where dockerd alone passes something that
# conformance/suites/exceptions.json gives no reason for. With BERTH_REFERENCE, the dockerd is that of reference.sh.
# Suites: scenarios, docker-py, dockerode; and moby and testcontainers, which are run only where they are named, moby beside
# BERTH_REFERENCE.
set -uo pipefail
# shellcheck source=scripts/settings.sh
. "$(dirname "$0")/settings.sh"
# shellcheck source=scripts/packages.sh
. scripts/packages.sh
# shellcheck source=scripts/build.sh
. scripts/build.sh

because=$(no_engine_because)
[ -z "$because" ] || fail "no conformance run here: $because"
[ $# -gt 0 ] || set -- scenarios docker-py dockerode

for suite in "$@"; do
  case $suite in
    docker-py) [ -d "${DOCKER_PY:-}/tests/integration" ] || fail "DOCKER_PY must name a checkout of docker-py, 7.2.0 with BERTH_REFERENCE, else 5.0.3:
  git clone --branch 5.0.3 https://github.com/docker/docker-py" ;;
    dockerode) [ -x "${DOCKERODE:-}/node_modules/.bin/mocha" ] || fail "DOCKERODE must name a checkout of dockerode with its packages:
  git clone https://github.com/apocas/dockerode && (cd dockerode && git checkout 3624bc0 && npm install)" ;;
    moby)
      [ -f "${MOBY:-}/vendor.mod" ] || fail "MOBY must name a checkout of moby v28.5.2:
  git clone --branch v28.5.2 https://github.com/moby/moby"
      [ -n "${BERTH_REFERENCE:-}" ] || fail "moby's tests are of dockerd 28.5: BERTH_REFERENCE must name the root of reference.sh" ;;
    testcontainers) [ -x "${TESTCONTAINERS:-}/node_modules/.bin/node" ] || fail "TESTCONTAINERS must name a folder with its modules and a Node that they take: see docs/conformance.md" ;;
    scenarios) ;;
    *) fail "no such suite: $suite (docker-py, dockerode, moby, scenarios, testcontainers)" ;;
  esac
done

missing=()
while read -r package; do missing+=("$package"); done < <(missing_to_run; missing_to_test)
has_command iptables || missing+=(iptables)
ldconfig -p | grep -q 'libdevmapper\.so\.1\.02\.1' || missing+=(libdevmapper1.02.1)
[ -x /bin/bash-static ] || missing+=(bash-static)
has_python_module pytest || missing+=(python3-pytest)
has_python_module pytest_timeout || missing+=(python3-pytest-timeout)
has_python_module paramiko || missing+=(python3-paramiko)
[ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
{ has_command docker && has_command dockerd; } || unpack_docker
unpack_openssh
case " $* " in *" moby "*) unpack_go && unpack_clients ;; esac
install_npm_packages
build || fail "the build failed"
for name in $(compgen -e | grep '^BERTH_' | grep -vx BERTH_REFERENCE); do unset "$name"; done
exec node conformance/suites/compare.mjs "$@"
