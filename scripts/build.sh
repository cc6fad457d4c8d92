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

# Where the last build began: its time.
built=node_modules/.berth-built

# Builds all members, and the container service's native programs where containers can run.
build() {
  if is_built; then
    step build "nothing changed"
  else
    touch "$built.part"
    quietly turbo run build --output-logs=errors-only || return 1
    mv "$built.part" "$built"
  fi
  [ -n "$(no_engine_because)" ] || native_is_new || quietly sh apps/container/native/build.sh
}

# Whether nothing was changed, added or removed since the last build began: turbo needs half a second to find that by hashes.
is_built() {
  local file
  for file in "$built" {apps/{container,directory},packages/cli}/dist/bundle/main.js apps/console/dist/site/index.html packages/*/dist; do
    [ -e "$file" ] || return 1
  done
  ! find apps packages scripts/bundle.mjs ./*.json pnpm-*.yaml \( -name node_modules -o -name dist -o -name '.?*' -o -path '*/native/build' \) \
    -prune -o -newer "$built" -print -quit | grep -q .
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
