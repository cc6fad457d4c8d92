import { changePacketFilter } from "../../host/run-program.ts";
import { runCommand } from "../command.ts";
import type { ElementChange, SetOfElements } from "./element.ts";
import { elementMessages } from "./element-messages.ts";

/** The kernel's packet filter. Calls take effect in their order, each as one transaction: all or nothing. */
export interface Nft {
  /** Applies nft commands, each on one line. */
  apply(commands: readonly string[]): Promise<void>;
  /** Changes elements of a table's sets. */
  change(table: string, sets: readonly SetOfElements[], change: ElementChange): Promise<void>;
}

/**
 * Opens the packet filter: definitions through `nft`, elements by messages to the kernel. Those come and go with every container, and
 * `nft` reads all tables of the host before each transaction.
 */
export function openNft(): Nft {
  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<unknown>): Promise<void> => {
    const done = queue.then(work, work).then(() => undefined);
    queue = done.catch(() => undefined);
    return done;
  };
  return {
    apply: async (commands) => {
      if (commands.length > 0) await inTurn(() => runCommand("nft", ["-f", "-"], `${commands.join("\n")}\n`));
    },
    change: async (table, sets, change) => {
      if (change.add.length + change.delete.length > 0)
        await inTurn(() => changePacketFilter(elementMessages(table, sets, change)));
    },
  };
}
