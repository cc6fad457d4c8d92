import { normalize } from "node:path";
import { parseListen } from "./listen.ts";

/** Settings that cannot be used: `NAME: what is wrong with it` for each, all of them in the message. */
export class InvalidSettings extends Error {
  override readonly name = "InvalidSettings";
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(faults.join("\n"));
    this.faults = faults;
  }
}

/** What `read` finds wrong with its settings, so that one error can tell of several readers. Other errors pass. */
export function settingFaults(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (fault) {
    if (fault instanceof InvalidSettings) return fault.faults;
    throw fault;
  }
}

/** EX_CONFIG of sysexits.h: a supervisor knows by it that a restart would change nothing. */
const INVALID_SETTINGS_CODE = 78;

/** What `read` returns. If settings are invalid it prints them, without a stack that would hide them, and ends the process. */
export function settingsOrExit<T>(read: () => T): T {
  try {
    return read();
  } catch (fault) {
    if (!(fault instanceof InvalidSettings)) throw fault;
    process.stderr.write(`berth: invalid settings:\n${fault.faults.map((one) => `  ${one}\n`).join("")}`);
    process.exit(INVALID_SETTINGS_CODE);
  }
}

/** A setting's check, and what it says of a value that fails. */
export interface SettingForm {
  readonly matches: (text: string) => boolean;
  readonly wanted: string;
}

/** Forms of settings that both services have. */
export const SETTING_FORMS = {
  absolutePath: { matches: (text) => /^\/\P{Cc}*$/u.test(text), wanted: "want an absolute path" },
  // It comes into the options of mounts and into postgresql.conf, and a purge removes what is in it.
  folder: {
    matches: (text) => /^\/[^\p{Cc}"'\\:,]*$/u.test(text) && normalize(text) !== "/",
    wanted: "want the absolute path of a folder for Berth alone, without \" ' \\ : and ,",
  },
  /** Of a server that is asked for paths of our own, in place of one in the URL. */
  origin: {
    matches: (text) =>
      has(text, ({ username, pathname, search, hash }) => username + search + hash === "" && pathname === "/"),
    wanted: "want http:// or https:// and a host, such as https://directory.example.com:7780, with nothing behind it",
  },
  httpUrl: {
    matches: (text) => has(text, ({ username, search, hash }) => username + search + hash === ""),
    wanted: "want http:// or https:// and a host, such as https://mirror.example.com",
  },
  /** It may have a user and a password. */
  proxyUrl: {
    matches: (text) => has(text, ({ pathname, search, hash }) => search + hash === "" && pathname === "/"),
    wanted: "want http:// or https:// and a host, such as http://proxy.example.com:3128",
  },
  /** As in `DOCKER_HOST`. */
  dockerAddress: {
    matches: (text) => text.startsWith("tcp://") && (parseListen(text.slice("tcp://".length))?.port ?? 0) > 0,
    wanted: "want the address that Docker clients connect to, such as tcp://h1.example.test:2375",
  },
  postgresUrl: {
    matches: (text) => /^postgres(ql)?:\/\/[^/]/.test(text) && URL.canParse(text) && canDecode(text),
    wanted: "want the URL of a Postgres, such as postgres://user:password@host/database",
  },
} satisfies Readonly<Record<string, SettingForm>>;

/** A number as it is written by hand: `Number` takes a space, `0x10` and `1e3` for one, too. */
export function wholeNumber(least: number, most: number): SettingForm {
  return {
    matches: (text) => /^[0-9]{1,15}$/.test(text) && Number(text) >= least && Number(text) <= most,
    wanted: `want a whole number from ${least} to ${most}`,
  };
}

/** Whether it is an HTTP URL with that property. `URL` repairs spaces, backslashes and missing slashes, which are mistakes here. */
function has(text: string, property: (url: URL) => boolean): boolean {
  if (!/^https?:\/\/[^\s/\\][^\s\\]*$/i.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  return url.port !== "0" && property(url);
}

/** Whether each `%` of the URL begins the code of a byte, and these make a text. */
function canDecode(url: string): boolean {
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}
