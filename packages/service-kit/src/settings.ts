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
  absolutePath: { matches: (text) => text.startsWith("/"), wanted: "want an absolute path" },
  httpUrl: {
    matches: (text) => URL.canParse(text) && /^https?:\/\/[^/]/i.test(text),
    wanted: "want http:// or https:// and a host, such as https://directory.example.com:7780",
  },
  postgresUrl: {
    matches: (text) => /^postgres(ql)?:\/\/[^/]/.test(text) && URL.canParse(text),
    wanted: "want the URL of a Postgres, such as postgres://user:password@host/database",
  },
} satisfies Readonly<Record<string, SettingForm>>;
