# shellcheck shell=bash
# The `berth` command on PATH. Sourced, never run.

# Writes $BERTH_RUN/bin/berth, which knows this Berth's settings, and links $BERTH_BIN/berth to it. Another program of that name keeps
# its place.
link_command() {
  local launcher="$BERTH_RUN/bin/berth" link="$BERTH_BIN/berth"
  mkdir -p "$BERTH_RUN/bin"
  cat >"$launcher" <<END
#!/bin/sh
export BERTH_STATE="\${BERTH_STATE:-$BERTH_STATE}" BERTH_DIRECTORY_URL="\${BERTH_DIRECTORY_URL:-$BERTH_DIRECTORY_URL}"
export BERTH_SOCKET="\${BERTH_SOCKET:-$BERTH_SOCKET}" NODE_EXTRA_CA_CERTS="\${NODE_EXTRA_CA_CERTS-${NODE_EXTRA_CA_CERTS:-}}"
exec "$(command -v node)" "$root/packages/cli/dist/bundle/main.js" "\$@"
END
  chmod 755 "$launcher"
  # A dangling link is what a restart of the machine leaves of an earlier Berth.
  if [ -e "$link" ] && [ "$(readlink "$link")" != "$launcher" ]; then
    step command "$launcher ($link belongs to another program)"
  elif mkdir -p "$BERTH_BIN" 2>/dev/null && ln -sfn "$launcher" "$link" 2>/dev/null; then
    step command "$link"
  else
    step command "$launcher (cannot write $BERTH_BIN)"
  fi
}

unlink_command() {
  [ "$(readlink "$BERTH_BIN/berth")" != "$BERTH_RUN/bin/berth" ] || rm -f "$BERTH_BIN/berth"
}
