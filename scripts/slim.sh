#!/bin/sh
# slim.sh FOLDER: takes from a deployed member what nothing runs: sources, notes, types and maps, its own and its dependencies'.
set -eu
cd "$1"
rm -rf src
find . -type f \( -name '*.ts' -o -name '*.cts' -o -name '*.mts' -o -name '*.map' -o -iname 'readme*' -o -iname 'changelog*' -o -name .tsbuildinfo \) -delete
# The reference of the API has two files of it; the rest is the same for other loaders.
find . -path '*/swagger-ui-dist/*.js' ! -name swagger-ui-bundle.js -delete
find . -type d -empty -delete
