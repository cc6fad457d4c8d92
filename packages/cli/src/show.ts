/** Rows as aligned columns under their names. */
export function table(rows: readonly object[], columns: readonly string[]): string {
  const cells = rows.map((row) => columns.map((column) => cell((row as Record<string, unknown>)[column])));
  const lines = [columns.map((column) => column.replaceAll(/[A-Z]/g, " $&").toUpperCase()), ...cells];
  const widths = columns.map((_, index) =>
    lines.reduce((widest, line) => Math.max(widest, line[index]?.length ?? 0), 0),
  );
  return lines
    .map((line) =>
      line
        .map((text, index) => text.padEnd(widths[index] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function cell(value: unknown): string {
  if (value === null || value === undefined || value === "") return "-";
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return printable(value.join(", ") || "-");
  return printable(typeof value === "object" ? JSON.stringify(value) : String(value));
}

/** Names that people chose must not steer the terminal. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, "?");
}
