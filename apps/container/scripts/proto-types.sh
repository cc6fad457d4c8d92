#!/usr/bin/env bash
# npm run proto-types [-- FOLDER]: writes the TypeScript types of the services and messages in protos/, by default into protos/types.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-protos/types}

files=(containerd/api/events/task cgroups/stats/v1/metrics cgroups/v2/stats/metrics)
for name in containers content diff events images leases snapshots tasks version; do
  files+=("containerd/api/services/$name/v1/$name")
done
files=("${files[@]/#/github.com/containerd/}")

rm -rf "$out"
# The options are those of src/runtimes/containerd/client/protos.ts.
./node_modules/.bin/proto-loader-gen-types --longs=Number --enums=String --defaults --grpcLib=@grpc/grpc-js \
  --targetFileExtension=.d.ts --importFileExtension=.js --includeDirs=protos --outDir="$out" "${files[@]/%/.proto}"
buildkit=(api/services/control/control frontend/gateway/pb/gateway session/auth/auth)
buildkit=("${buildkit[@]/#/github.com/moby/buildkit/}")
# The options are those of src/builds/buildkit/protos.ts.
./node_modules/.bin/proto-loader-gen-types --longs=String --enums=String --grpcLib=@grpc/grpc-js \
  --targetFileExtension=.d.ts --importFileExtension=.js --includeDirs=protos --outDir="$out/buildkit" "${buildkit[@]/%/.proto}"
rm "$out"/buildkit/*.d.ts
# What Berth does not use: a file of classes for each input file, and the messages that describe protos themselves.
rm "$out"/*.d.ts
find "$out/google/protobuf" -type f ! -name Any.d.ts ! -name Empty.d.ts ! -name FieldMask.d.ts ! -name Timestamp.d.ts -delete
