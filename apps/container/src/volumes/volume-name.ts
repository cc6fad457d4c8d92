/** Docker's rule for the name of a volume (moby `names.RestrictedNamePattern`). */
const VOLUME_NAME = /^[a-zA-Z0-9][a-zA-Z0-9_.-]+$/;

/** Why `name` is not the name of a local volume, in Docker's words; undefined where it is one. */
export function validateVolumeName(name: string): string | undefined {
  if (name.length === 1)
    return `create ${name}: volume name is too short, names should be at least two alphanumeric characters`;
  return VOLUME_NAME.test(name)
    ? undefined
    : `create ${name}: ${JSON.stringify(name)} includes invalid characters for a local volume name, only "[a-zA-Z0-9][a-zA-Z0-9_.-]" are allowed. If you intended to pass a host directory, use absolute path`;
}
