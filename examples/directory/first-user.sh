#!/usr/bin/env bash
# Creates a user, gives it a range of ports, and asks what would be decided about two of them.
# BERTH_DIRECTORY_URL names the directory, BERTH_TOKEN an administrator's token.
set -euo pipefail
url=${BERTH_DIRECTORY_URL:-http://127.0.0.1:7780}
token=${BERTH_TOKEN:-$(cat "${BERTH_STATE:-/var/lib/berth}/admin-token")}

# api METHOD PATH [JSON]
api() { curl -sS --fail-with-body -X "$1" "$url$2" -H "Authorization: Bearer $token" ${3:+-H "Content-Type: application/json" -d "$3"}; }
field() { grep -o "\"$1\":[^,}]*" | head -1 | cut -d: -f2- | tr -d '"'; }

id=$(api POST /api/users '{"login":"eve","email":"eve@example.test"}' | field id)
api POST "/api/users/$id/constraints" '{"kind":"host-ports","ports":[{"start":8000,"end":8099}]}' >/dev/null
for port in 8080 9000; do
  decision=$(api POST /api/decisions "{\"userId\":$id,\"request\":{\"ports\":[{\"hostPort\":{\"start\":$port,\"end\":$port}}]}}")
  echo "port $port: $(field decision <<<"$decision")"
done
api DELETE "/api/users/$id"
