// Most versions answer alike: a recording is kept as its distinct answers, and which of them came at which versions.

/** Versions in the order of the recording, ends of a run joined by `-`. */
function rangeOf(versions, all) {
  const runs = [];
  for (const version of versions) {
    const run = runs.at(-1);
    if (run !== undefined && all.indexOf(version) === all.indexOf(run.at(-1)) + 1) run.push(version);
    else runs.push([version]);
  }
  return runs.map((run) => (run.length === 1 ? run[0] : `${run[0]}-${run.at(-1)}`)).join(" ");
}

/**
 * The text of a fixture.
 * @param {Record<string, Record<string, Record<string, string>>>} recording
 */
export function packed(recording) {
  const answers = new Map();
  const requests = Object.entries(recording).map(([request, byVersion]) => {
    const all = Object.keys(byVersion).sort((one, other) => Number(one.split(".")[1]) - Number(other.split(".")[1]));
    const versions = new Map();
    for (const version of all) {
      const text = JSON.stringify(Object.fromEntries(Object.entries(byVersion[version]).sort()));
      if (!answers.has(text)) answers.set(text, answers.size);
      const number = answers.get(text);
      versions.set(number, [...(versions.get(number) ?? []), version]);
    }
    const ranges = Object.fromEntries([...versions].map(([number, those]) => [rangeOf(those, all), number]));
    return `${JSON.stringify(request)}: ${JSON.stringify(ranges)}`;
  });
  return `{"requests": {\n${requests.join(",\n")}\n},\n"answers": [\n${[...answers.keys()].join(",\n")}\n]}\n`;
}

/**
 * The recording of a fixture's text.
 * @param {string} text
 */
export function unpacked(text) {
  const { requests, answers } = JSON.parse(text);
  return Object.fromEntries(
    Object.entries(requests).map(([request, ranges]) => [
      request,
      Object.fromEntries(
        Object.entries(ranges).flatMap(([range, number]) =>
          range.split(" ").flatMap((run) => versionsOf(run).map((version) => [version, answers[number]])),
        ),
      ),
    ]),
  );
}

function versionsOf(run) {
  const [first, last = first] = run.split("-").map((version) => Number(version.split(".")[1]));
  if (Number.isNaN(first)) return [run];
  return Array.from({ length: last - first + 1 }, (_, at) => `1.${first + at}`);
}
