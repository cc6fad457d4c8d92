/** The option that a mistyped one likely stands for, of those that a command's help names. Undefined if none is near. */
export function nearestOption(mistyped: string, help: string): string | undefined {
  const options = [...help.matchAll(/--([a-z][a-z-]+)/g)].map(([, name = ""]) => name);
  const near = [...new Set(options)]
    .map((name) => ({ name, distance: distanceOf(mistyped, name) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.name;
}

/** How many letters have to be put in, left out, replaced or swapped with their neighbour (optimal string alignment). */
function distanceOf(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= from.length; row++) {
    const distances = [row];
    rows.push(distances);
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      distances.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(from.length, to.length);
}
