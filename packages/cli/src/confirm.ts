import { Refused } from "./api.ts";
import type { Terminal } from "./context.ts";

/** The option of every command that removes something. */
export const YES = { type: "boolean", alias: "y", describe: "Do not ask" } as const;

/** Returns once the user said yes; throws `Refused` when it did not, or when nobody is there to ask. */
export async function confirmed(terminal: Terminal, yes: unknown, question: string): Promise<void> {
  if (yes === true) return;
  const answer = await terminal.ask(`${question} [y/N] `);
  if (answer === undefined) throw new Refused(`${question} Nobody is there to answer: add --yes.`);
  if (!/^y(es)?$/i.test(answer.trim())) throw new Refused("Nothing was changed.");
}
