/**
 * What passed where.
 * @param {{ suites: readonly string[], dockerd: Record<string, import("./inside.mjs").Outcomes>, berth: Record<string, import("./inside.mjs").Outcomes>, exceptions: Record<string, Record<string, string>> }} measured
 *   `exceptions` holds by suite and test why Berth need not pass it; `*` in a test's name is any text.
 * @returns {{ text: string, unexplained: number }} `unexplained`: what dockerd alone passes and no exception names
 */
export function reportOf({ suites, dockerd, berth, exceptions }) {
  const rows = suites.map((suite) => {
    const names = [...new Set([...dockerd[suite].keys(), ...berth[suite].keys()])].sort();
    const by = (there, here) =>
      names.filter(
        (name) =>
          (dockerd[suite].get(name)?.passed ?? false) === there && (berth[suite].get(name)?.passed ?? false) === here,
      );
    return { suite, both: by(true, true), dockerd: by(true, false), berth: by(false, true), neither: by(false, false) };
  });
  const lines = [
    "| suite | passed by both | by dockerd alone | by Berth alone | by neither |",
    "|---|--:|--:|--:|--:|",
    ...rows.flatMap(({ suite, ...counts }) =>
      partsOf(suite, counts).map((part) => {
        const own = (name) => suite !== "moby" || packageOf(name) === part;
        return `| ${part} | ${COLUMNS.map((key) => counts[key].filter(own).length).join(" | ")} |`;
      }),
    ),
  ];
  let unexplained = 0;
  const list = (title, key, tell) => {
    const told = rows.flatMap(({ suite, [key]: names }) =>
      names.map((name) => `  ${suite}: ${name}\n    ${tell(suite, name)}`),
    );
    if (told.length > 0) lines.push("", title, ...told);
  };
  list("By dockerd alone:", "dockerd", (suite, name) => {
    const [, reason] = Object.entries(exceptions[suite] ?? {}).find(([pattern]) => matches(pattern, name)) ?? [];
    if (reason !== undefined) return reason;
    unexplained++;
    return `NO REASON GIVEN: ${berth[suite].get(name)?.message ?? "not run"}`;
  });
  list("By Berth alone:", "berth", (suite, name) => `dockerd: ${dockerd[suite].get(name)?.message ?? "not run"}`);
  list("By neither:", "neither", (suite, name) => {
    const [there, here] = [dockerd, berth].map((outcomes) => outcomes[suite].get(name)?.message ?? "not run");
    return there === here ? there : `dockerd: ${there}\n    Berth: ${here}`;
  });
  return { text: lines.join("\n"), unexplained };
}

const COLUMNS = ["both", "dockerd", "berth", "neither"];

/** moby's tests have a row for each of their packages, with which their names begin. */
function partsOf(suite, counts) {
  return suite === "moby" ? [...new Set(COLUMNS.flatMap((key) => counts[key].map(packageOf)))].sort() : [suite];
}

function packageOf(name) {
  return name.split(" ", 1)[0];
}

function matches(pattern, name) {
  const parts = pattern.split("*").map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(name);
}
