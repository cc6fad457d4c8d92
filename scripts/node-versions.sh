#!/usr/bin/env bash
# npm run node-versions [-- VERSION...]: runs the unit tests, and a start and stop of Berth, on Node 20, 22 and 24, or on the versions named.
# A version below 20 has to be refused. Node comes from npm's package of its binaries. The Berth is one of its own, beside any other on this machine.
set -euo pipefail
# shellcheck source=scripts/settings.sh
. "$(dirname "$0")/settings.sh"

versions=("$@")
[ $# -gt 0 ] || versions=(18 20 22 24)
case $(uname -m) in
  x86_64) arch=x64 ;;
  aarch64) arch=arm64 ;;
  *) fail "there is no Node for $(uname -m) among npm's packages" ;;
esac
# The settings of this shell's Berth are not the test's.
for name in $(compgen -e | grep -E '^(BERTH_|DATABASE_URL$)'); do unset "$name"; done
home=$(mktemp -d)
chmod 755 "$home"
trap 'rm -rf "$home"' EXIT
export BERTH_CONF=/dev/null BERTH_STATE=$home/state BERTH_RUN=$home/run BERTH_BIN=$home/bin BERTH_INSTANCE=nv BERTH_SUBNET=10.62.0.0/16
export BERTH_DIRECTORY_LISTEN=127.0.0.1:17790 BERTH_DEMO_PORT=18090

for version in "${versions[@]}"; do
  folder=$root/.cache/node/$version
  if [ ! -x "$folder/package/bin/node" ]; then
    step node "fetching node-linux-$arch@$version from npm's registry"
    mkdir -p "$folder"
    (cd "$folder" && npm pack --silent "node-linux-$arch@$version" >/dev/null && tar xzf ./*.tgz package/bin/node && rm ./*.tgz)
  fi
  (
    export PATH="$folder/package/bin:$PATH"
    if [ "${version%%.*}" -lt 20 ]; then
      ! bash scripts/start.sh >"$home/log" 2>&1 || fail "npm start runs on Node $version"
      [[ $(head -n 1 "$home/log") = "berth: Node 20 or later is needed, and this is v$version."* ]] || { cat "$home/log"; fail "Node $version is not refused in the first line"; }
      step node "$(node --version): refused"
      exit 0
    fi
    step node "$(node --version): unit tests"
    npm run --silent test:unit >"$home/log" 2>&1 || { tail -n 40 "$home/log"; fail "the unit tests fail on Node $version"; }
    tail -n 1 "$home/log"
    step node "$(node --version): npm start"
    npm --silent start >"$home/log" 2>&1 || { tail -n 40 "$home/log"; npm --silent stop -- --purge || true; fail "npm start fails on Node $version"; }
    curl -fsS http://127.0.0.1:18090/ >/dev/null || fail "the demo does not answer on Node $version"
    npm --silent stop -- --purge >"$home/log" 2>&1 || { tail -n 40 "$home/log"; fail "npm stop fails on Node $version"; }
    step node "$(node --version): ok"
  )
done
