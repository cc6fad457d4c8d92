/** A command of a page and what the page says it prints. */
export interface Documented {
  readonly command: string;
  readonly output: string;
}

/**
 * The commands in a page's `console` blocks, in their order.
 * @param page Markdown, in which `$ ` begins a command and an empty line or the next command ends its output
 */
export function documentedCommands(page: string): readonly Documented[] {
  const blocks = [...page.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((text) => {
        const [command = "", ...output] = text.trimEnd().split("\n");
        return { command, output: output.join("\n") };
      }),
  );
}

/**
 * What the printed output has to look like: as the page says, where `…` stands for anything, any id for any other, and any age for
 * any other. Runs of spaces count as one, since columns are as wide as their content.
 */
export function patternOf(output: string): RegExp {
  const parts = output
    .trim()
    .split("…")
    .map((part) =>
      part
        .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
        .replace(/\b[0-9a-f]{11,64}\b/g, "[0-9a-f]+")
        .replace(
          /(\d+ seconds?|Less than a second)/g,
          "(\\d+ seconds?|Less than a second|About a minute|\\d+ minutes?)",
        )
        .replace(/\s+/g, "\\s+"),
    );
  return new RegExp(`^\\s*${parts.join("[\\s\\S]*?")}\\s*$`);
}
