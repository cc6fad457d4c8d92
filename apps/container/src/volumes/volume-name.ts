/** Docker's rule for the name of a volume (moby `names.RestrictedNamePattern`). */
const VOLUME_NAME = /^[a-zA-Z0-9][a-zA-Z0-9_.-]+$/;

/** A volume's folder has its owner and its name in 255 characters (`NAME_MAX`). */
const MOST_CHARACTERS = 230;

/** Why `name` is not the name of a local volume, in Docker's words; undefined where it is one. */
export function validateVolumeName(name: string): string | undefined {
  if (name.length === 1)
    return `create ${name}: volume name is too short, names should be at least two alphanumeric characters`;
  if (name.length > MOST_CHARACTERS)
    return `create ${name.slice(0, MOST_CHARACTERS)}...: a volume's name has at most ${MOST_CHARACTERS} characters, not ${name.length}`;
  return VOLUME_NAME.test(name)
    ? undefined
    : `create ${name}: ${JSON.stringify(name)} includes invalid characters for a local volume name, only "[a-zA-Z0-9][a-zA-Z0-9_.-]" are allowed. If you intended to pass a host directory, use absolute path`;
}
