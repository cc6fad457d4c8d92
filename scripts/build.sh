# shellcheck shell=bash
# npm packages and the build, both skipped in no time where nothing changed. Sourced, never run.

install_npm_packages() {
  local wanted stamp=node_modules/.berth-installed version
  wanted=$(cat pnpm-lock.yaml pnpm-workspace.yaml package.json packages/*/package.json apps/*/package.json | cksum)
  if [ -d node_modules ] && [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ]; then
    step npm "packages are here"
    return 0
  fi
  version=$(node -p 'require("./package.json").devEngines.packageManager.version')
  step npm "installing the locked packages with pnpm $version, from the registry that npm is set to"
  # From elsewhere, or npx takes the pnpm in node_modules, which an installation may remove under itself.
  (cd / && CI=true npx --yes "pnpm@$version" --dir "$root" install --frozen-lockfile) || fail "the npm packages could not be installed"
  say "$wanted" >"$stamp"
}

# Builds all members, and the container service's native programs where containers can run.
build() {
  quietly turbo run build --output-logs=errors-only || return 1
  [ -n "$(no_engine_because)" ] || native_is_new || quietly sh apps/container/native/build.sh
}

# in-rootfs is built last.
native_is_new() {
  local source
  for source in apps/container/native/*.[ch] apps/container/native/build.sh; do
    [ apps/container/native/build/in-rootfs -nt "$source" ] || return 1
  done
}

# Shows the command's output only where it fails.
quietly() {
  local log="$root/node_modules/.berth-build.log"
  step build "$*"
  patiently build "building" to_log "$log" "$@" && return 0
  cat "$log" >&2
  return 1
}

to_log() {
  local log=$1
  shift
  "$@" >"$log" 2>&1
}
