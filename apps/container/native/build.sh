#!/bin/sh
# Builds Berth's native programs into `build` beside this file, or into the directory given as the only argument.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/build}
mkdir -p "$out"
for program in logger init pin spread launcher builder rule-changes runc containerd-shim-berth-v2 in-rootfs; do
  # Renamed into place, so that a running one is never written to and a parallel build never seen half done.
  part=$out/.$program.$$
  # They run where no library is: in a container's root file system, and where a program has others than ours.
  ${CC:-cc} -std=c11 -O2 -Wall -Wextra -static -s -o "$part" "$here/$program"*.c
  mv "$part" "$out/$program"
done
