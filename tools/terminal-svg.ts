/** A command of a terminal session, and what it printed. */
export interface Typed {
  readonly command: string;
  readonly output: string;
}

const COLUMNS = 112;
const FONT_SIZE = 13;
const COLUMN_WIDTH = 7.83;
const ROW_HEIGHT = 19;
const MARGIN = 16;

const SECONDS_A_KEY = 0.025;
const SECONDS_TO_READ = 1.2;

const STYLE = `
  text { font: ${FONT_SIZE}px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #d7dae0; white-space: pre }
  .typed { fill: #fff; font-weight: 600 }
  .refused { fill: #ff9d8f }
  @media (prefers-reduced-motion: no-preference) {
    text { animation: appear 1ms linear var(--at) both }
    .typed { animation: type var(--for) steps(var(--keys)) var(--at) both }
  }
  @keyframes appear { from { opacity: 0 } }
  @keyframes type { from { clip-path: inset(0 100% 0 0) } to { clip-path: inset(0 -1em 0 0) } }
`;

interface Row {
  readonly text: string;
  readonly attributes: string;
}

/**
 * A recording of a terminal session as an SVG that shows each command being typed, then what it printed. Where motion is reduced, all of it
 * is there at once.
 */
export function terminalSvg(session: readonly Typed[]): string {
  let at = 0.5;
  const rows: Row[] = [];
  for (const { command, output } of session) {
    const typing = command.length * SECONDS_A_KEY;
    const style = `--at:${at.toFixed(2)}s;--for:${typing.toFixed(2)}s;--keys:${command.length + 2}`;
    for (const text of wrap(`$ ${command}`)) rows.push({ text, attributes: `class="typed" style="${style}"` });
    at += typing + 0.3;
    for (const line of output.trimEnd().split("\n")) {
      const refused = line.includes("denied") ? 'class="refused" ' : "";
      for (const text of wrap(line)) rows.push({ text, attributes: `${refused}style="--at:${at.toFixed(2)}s"` });
    }
    rows.push({ text: "", attributes: "" });
    at += SECONDS_TO_READ;
  }
  const width = Math.round(COLUMNS * COLUMN_WIDTH + 2 * MARGIN);
  const height = (rows.length - 1) * ROW_HEIGHT + 2 * MARGIN;
  const lines = rows.map(({ text, attributes }, index) =>
    text === ""
      ? ""
      : `<text x="${MARGIN}" y="${MARGIN + FONT_SIZE + index * ROW_HEIGHT}" ${attributes}>${escaped(text)}</text>\n`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>A terminal session with Berth</title>
<style>${STYLE}</style>
<rect width="100%" height="100%" rx="8" fill="#1d2129"/>
${lines.join("")}</svg>
`;
}

/** The text in rows of at most the terminal's columns. */
function wrap(text: string): readonly string[] {
  const rows = [];
  for (let start = 0; start === 0 || start < text.length; start += COLUMNS)
    rows.push(text.slice(start, start + COLUMNS));
  return rows;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
