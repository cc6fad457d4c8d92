# shellcheck shell=bash
# The settings file: one NAME=value a line, as systemd's EnvironmentFile has them; a variable of the environment wins. Sourced, never run.

if [ "$(id -u)" = 0 ]; then
  settings_file=${BERTH_CONF:-/etc/berth/berth.conf}
else
  settings_file=${BERTH_CONF:-${XDG_CONFIG_HOME:-$HOME/.config}/berth/berth.conf}
fi

# Exports what the file sets. Names every line that cannot be used, and then ends.
read_settings_file() {
  local line name value number=0 wrong=()
  while IFS= read -r line || [ -n "$line" ]; do
    number=$((number + 1))
    line=$(trim "$line")
    case $line in "" | "#"* | ";"*) continue ;; esac
    name=$(trim "${line%%=*}")
    value=$(trim "${line#*=}")
    if [[ $line != *=* ]]; then
      wrong+=("line $number: \`$line\` is not NAME=value")
    elif ! is_setting "$name"; then
      wrong+=("line $number: \`$name\` is not a setting; docs/operations.md lists them")
    elif [ -z "${!name+set}" ]; then
      case $value in
        \"*\" | \'*\') value=${value:1:-1} ;;
      esac
      export "$name=$value"
    fi
  done <"$settings_file"
  [ ${#wrong[@]} = 0 ] || {
    printf '\nberth: %s cannot be used:\n' "$settings_file" >&2
    printf '  %s\n' "${wrong[@]}" >&2
    exit 1
  }
}

is_setting() { grep -qx -- "$1" "$(dirname "${BASH_SOURCE[0]}")/settings.txt"; }

trim() {
  local text=${1#"${1%%[![:space:]]*}"}
  printf '%s' "${text%"${text##*[![:space:]]}"}"
}

if [ -f "$settings_file" ]; then
  export BERTH_SETTINGS_FILE=$settings_file
  [ -r "$settings_file" ] || { printf 'berth: %s cannot be read by %s\n' "$settings_file" "$(id -un)" >&2; exit 1; }
  read_settings_file
elif [ -n "${BERTH_CONF:-}" ] && [ "$BERTH_CONF" != /dev/null ]; then
  printf 'berth: BERTH_CONF: there is no file %s\n' "$BERTH_CONF" >&2
  exit 1
fi
# What somebody set, before the defaults.
given_settings=$(compgen -e | tr '\n' ' ')
