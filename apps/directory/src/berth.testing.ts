import { run, type Terminal } from "@berth/cli";
import { recoverAdministrator } from "./bootstrap/recover-administrator.ts";
import type { TestDirectory } from "./directory.testing.ts";
import { documentedFetch } from "./http/openapi-document.testing.ts";

export interface Given {
  readonly stdin?: string;
  readonly token?: string;
  readonly answer?: string;
  /** Keeps what the command asks Docker's; it runs where no engine is. */
  readonly docker?: string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What happens while the command waits, having said that. */
  readonly pause?: (told: string) => Promise<void>;
}

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The command on a directory: runs one line as the administrator, with nobody there to answer, unless told otherwise. */
export function commandOn(directory: TestDirectory): (line: readonly string[], given?: Given) => Promise<Ended> {
  return async (line, given = {}) => {
    let [out, err] = ["", ""];
    const terminal: Terminal = {
      fetch: async (input, init) => documentedFetch(directory.app)(new Request(input as URL, init)),
      write: (text) => {
        out += text;
      },
      complain: (text) => {
        err += text;
      },
      readStdin: async () => given.stdin ?? "",
      open: async () => new Blob([given.stdin ?? ""]).stream(),
      ask: async () => given.answer,
      recover: (login) => recoverAdministrator(directory.deps, login),
      engine: async () => ({ status: 404, body: { message: "page not found" } }),
      hasEngine: given.docker === undefined,
      docker: async (args) => {
        given.docker?.push(args.join(" "));
        return args[1] === "inspect" ? { code: 1, output: "" } : { code: 0, output: "" };
      },
      folder: "/home/ann",
      sizeOf: async () => given.stdin?.length,
      isTerminal: false,
      hostname: "laptop",
      pause: async () => given.pause?.(err),
      env: given.env ?? {},
    };
    const settings = {
      url: "http://directory.test",
      version: "1.2.3",
      token: async () => given.token ?? directory.admin,
    };
    const code = await run(line, settings, terminal);
    return { code, out, err };
  };
}
