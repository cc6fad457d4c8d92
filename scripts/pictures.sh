#!/usr/bin/env bash
# npm run pictures: makes the README's pictures anew, from what runs: pages of the console in Chromium, and a recording of README's session.
set -euo pipefail
# shellcheck source=scripts/own-berth.sh
. "$(dirname "$0")/own-berth.sh"

missing=()
has_command chromium || missing+=(chromium)
has_command pngquant || missing+=(pngquant)
[ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
prepare_own_berth
made=$root/.cache/pictures
rm -rf "$made" && mkdir -p "$made" docs/pictures
BERTH_PICTURES=$made vitest run --project conformance conformance/console.test.ts conformance/readme.test.ts
for page in overview why-not; do pngquant --force --speed 1 --output "docs/pictures/$page.png" 64 "$made/$page.png"; done
cp "$made/terminal.svg" docs/pictures/
ls -l docs/pictures
