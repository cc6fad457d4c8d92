#!/bin/sh
# Builds Berth's two native programs into `build` beside this file, or into the directory given as the only argument.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/build}
mkdir -p "$out"
for program in logger init; do
  # Renamed into place, so that a running one is never written to and a parallel build never seen half done.
  part=$out/.$program.$$
  # Both run where no library is: the init inside a container's root file system.
  ${CC:-cc} -std=c11 -O2 -Wall -Wextra -static -s -o "$part" "$here/$program.c"
  mv "$part" "$out/$program"
done
