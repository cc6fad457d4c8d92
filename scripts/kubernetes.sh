#!/usr/bin/env bash
# Unpacks what the tests of places by Kubernetes run: its own programs, etcd and kubectl, under .cache.
set -euo pipefail
# shellcheck source=scripts/settings.sh
. "$(dirname "$0")/settings.sh"
# shellcheck source=scripts/packages.sh
. scripts/packages.sh

unpack_kubernetes
