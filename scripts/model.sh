#!/usr/bin/env bash
# npm run model -- [OPERATIONS] [SEED] [URL TOKEN_FILE]: random operations of eight clients at once on a directory, whose answers are
# compared with a model. 3,000 operations of seed 1 unless told, on a directory of its own or on the one at URL, as the administrator
# whose token is in TOKEN_FILE. What it makes there stays.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

if ! [[ "${1:-3000}" =~ ^[1-9][0-9]*$ && "${2:-1}" =~ ^[0-9]+$ && ($# -le 2 || $# -eq 4) ]]; then
  echo "usage: npm run model -- [OPERATIONS] [SEED] [URL TOKEN_FILE]" >&2
  exit 1
fi
export MODEL_OPERATIONS=${1:-3000} MODEL_SEED=${2:-1}
[ $# -le 2 ] || export MODEL_DIRECTORY=$3 MODEL_TOKEN_FILE=$4
exec node_modules/.bin/vitest run --project sources apps/directory/src/model
