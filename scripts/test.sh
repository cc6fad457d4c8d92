#!/usr/bin/env bash
# npm test: the same set-up as npm start, then every check and every test. Each check counts as one test.
# The last line is always `N passed, N failed[, N skipped]`. Arguments go to vitest: npm test -- packages/port-spec
set -uo pipefail
# shellcheck source=scripts/settings.sh
. "$(dirname "$0")/settings.sh"
# shellcheck source=scripts/packages.sh
. scripts/packages.sh
# shellcheck source=scripts/build.sh
. scripts/build.sh
# shellcheck source=scripts/archives.sh
. scripts/archives.sh

passed=0 failed=0 skipped=0
work=$(mktemp -d)
finish() {
  rm -rf "$work"
  say ""
  if [ "$skipped" -gt 0 ]; then
    say "$passed passed, $failed failed, $skipped skipped"
  else
    say "$passed passed, $failed failed"
  fi
  [ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}

# check NAME COMMAND...: runs the command, shows its output only where it fails.
check() {
  local name=$1 before=$SECONDS
  shift
  if "$@" >"$work/out" 2>&1; then
    passed=$((passed + 1))
    printf '  ok       %-14s %s s\n' "$name" "$((SECONDS - before))"
  else
    failed=$((failed + 1))
    printf '  FAILED   %-14s %s\n' "$name" "$*"
    cat "$work/out"
  fi
}

# A subshell, since what it installs may fail and the closing line has to come all the same.
set_up() (
  missing=()
  if [ -z "$(no_engine_because)" ]; then
    while read -r package; do missing+=("$package"); done < <(missing_to_run; missing_to_test)
    [ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
    has_command docker || unpack_docker
    unpack_openssh
    unpack_clients
    unpack_prometheus
    unpack_kubernetes
    bash scripts/firewalls.sh build
  else
    step containers "not tested here: $(no_engine_because)"
  fi
  install_npm_packages
)

# In a subshell, since a package that cannot be packed ends it.
shape_of_packages() (
  pack_packages
  for archive in .cache/release/*.tgz; do
    publint --strict "$archive" && attw "$archive" --profile esm-only || exit 1
  done
)

say "Berth: set-up"
if ! set_up; then
  failed=1
  finish
  exit 1
fi

say "Berth: checks"
check build build
check types tsc -p tsconfig.tests.json
check lint biome check --error-on-warnings .
check boundaries depcruise --config .dependency-cruiser.cjs packages apps
check dead-code knip
check packages shape_of_packages
if has_command shellcheck; then check shell shellcheck -xa scripts/{start,stop,postgres,supervise,test,bench,chaos,conformance,setup,dev,docker-cli,release,reference,firewalls,package,slim,vm,vm-test,compose-test,node-versions,pictures,kubernetes}.sh \
  packaging/{berth,teardown.sh,compose/container.sh} packaging/debian/{preinst,postinst,prerm,postrm} tools/vm/package.sh .ci/run; fi

say "Berth: tests"
# The services' own settings must not reach the tests, which set theirs.
for name in $(compgen -e | grep '^BERTH_'); do unset "$name"; done
BERTH_TEST_COUNTS="$work/counts" vitest run "$@"
status=$?
if read -r p f s 2>/dev/null <"$work/counts"; then
  passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
  # vitest may fail where no test did, as on a file that matches nothing.
  [ $status = 0 ] || [ "$f" -gt 0 ] || failed=$((failed + 1))
else
  say "vitest gave no counts (exit $status)"
  failed=$((failed + 1))
fi
finish
