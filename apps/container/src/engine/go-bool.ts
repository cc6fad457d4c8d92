/** Reads a boolean as Go's `strconv.ParseBool`; undefined for any other text. */
export function parseGoBool(text: string): boolean | undefined {
  if (/^(1|t|T|true|True|TRUE)$/.test(text)) return true;
  return /^(0|f|F|false|False|FALSE)$/.test(text) ? false : undefined;
}

/** Go's error for a text that {@link parseGoBool} does not read. */
export function noGoBool(text: string): string {
  return `strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`;
}
