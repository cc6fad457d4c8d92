# shellcheck shell=bash
# What commands need that run a Berth of their own beside any other on the host. Sourced, never run.

# shellcheck source=scripts/settings.sh
. "$(dirname "${BASH_SOURCE[0]}")/settings.sh"
# shellcheck source=scripts/packages.sh
. scripts/packages.sh
# shellcheck source=scripts/build.sh
. scripts/build.sh

# prepare_own_berth: installs what a Berth needs, builds it, and drops the settings of the host's own Berth.
prepare_own_berth() {
  local missing=() package name
  while read -r package; do missing+=("$package"); done < <(missing_to_run)
  [ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
  install_npm_packages
  build || fail "the build failed"
  for name in $(compgen -e | grep '^BERTH_'); do unset "$name"; done
}
