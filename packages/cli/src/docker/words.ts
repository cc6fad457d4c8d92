import { err, ok, type Result } from "@berth/port-spec";

/**
 * Splits a command line into words as a POSIX shell does: quotes, backslashes, and line ends after a backslash. Nothing is expanded.
 * @returns the words, or what is wrong.
 */
export function splitWords(line: string): Result<readonly string[], string> {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const letter = line[at] ?? "";
    if (letter === "'" || letter === '"') {
      const end = endOfQuote(line, at);
      if (end === undefined) return err(`the quote ${letter} is not closed`);
      const quoted = line.slice(at + 1, end);
      word = (word ?? "") + (letter === "'" ? quoted : quoted.replaceAll(/\\([$`"\\\n])/g, unescaped));
      at = end;
    } else if (letter === "\\") {
      const next = line[++at];
      if (next === "\r" && line[at + 1] === "\n") at++;
      else if (next !== undefined && next !== "\n") word = (word ?? "") + next;
    } else if (/\s/.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + letter;
  }
  if (word !== undefined) words.push(word);
  return ok(words);
}

function unescaped(_all: string, letter: string): string {
  return letter === "\n" ? "" : letter;
}

/** Where the quote that starts at `start` ends. */
function endOfQuote(line: string, start: number): number | undefined {
  const quote = line[start];
  for (let at = start + 1; at < line.length; at++) {
    if (quote === '"' && line[at] === "\\") at++;
    else if (line[at] === quote) return at;
  }
  return undefined;
}
