#!/usr/bin/env bash
# npm run setup: installs the locked npm packages, and nothing else. Needs no root; `npx vitest` works afterwards.
set -uo pipefail
# shellcheck source=scripts/settings.sh
. "$(dirname "$0")/settings.sh"
# shellcheck source=scripts/build.sh
. scripts/build.sh

install_npm_packages
