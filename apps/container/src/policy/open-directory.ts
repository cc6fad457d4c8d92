import { open, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { createDirectoryClient } from "@berth/directory-client";
import type { ReportActions } from "../engine/action.ts";
import { EngineError } from "../engine/errors.ts";
import type { ReportPlaces } from "../engine/fleet-report.ts";
import type { ReportHost } from "../engine/host-report.ts";
import {
  type AskOwner,
  createAskOwner,
  createWhoseLogin,
  createWhoseToken,
  type Directory,
  FRESH_FOR_MS,
  type WhoseLogin,
} from "./directory.ts";
import { createReportActions } from "./report-actions.ts";
import { createReportHost } from "./report-host.ts";
import { createReportPlaces } from "./report-places.ts";

/** What the service's own token is for. */
export interface OwnToken {
  readonly askOwner: AskOwner;
  readonly reportActions: ReportActions;
  readonly reportHost: ReportHost;
  readonly reportPlaces: ReportPlaces;
}

/** {@link Directory} as the service opens it. */
export interface OpenDirectory extends Directory, OwnToken {
  /** Reads the service's own token again. Throws, and keeps the one it has, if the file cannot be read or used. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

/** The file of the service's own token; one that is not required may be absent, until the directory has made it. */
interface TokenFile {
  readonly file: string;
  readonly isRequired: boolean;
}

/** The look-ups and reports with the service's own token. */
interface WithToken extends OwnToken {
  readonly whoseLogin: WhoseLogin;
  close(): Promise<void>;
}

/** The look-ups with the token that the file holds now: a replaced file is read at the next use. */
class FromFile {
  readonly #url: string;
  readonly #token: TokenFile;
  #current: { readonly stamp: string; readonly lookUps: WithToken } | undefined;
  #opening: Promise<void> | undefined;

  constructor(url: string, token: TokenFile) {
    this.#url = url;
    this.#token = token;
  }

  /** Undefined if there is no token. Throws if the file cannot be used and there was no earlier token. */
  async lookUps(): Promise<WithToken | undefined> {
    const stamp = await stampOf(this.#token.file);
    if (stamp !== undefined && stamp !== this.#current?.stamp)
      await this.load().catch((thrown: unknown) => {
        // Somebody may be writing it just now.
        if (this.#current === undefined) throw thrown;
      });
    return this.#current?.lookUps;
  }

  /** Reads the file. Throws, and keeps what it has, if it cannot be used. */
  load(): Promise<void> {
    this.#opening ??= this.#load().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async close(): Promise<void> {
    await this.#opening?.catch(() => undefined);
    await this.#current?.lookUps.close();
  }

  async #load(): Promise<void> {
    const stamp = await stampOf(this.#token.file);
    const token = await readToken(this.#token);
    if (token === undefined || stamp === undefined) return;
    // Cache for at most half a second, even while the change feed is live, and never answer from the cache if the directory is down.
    const client = createDirectoryClient({
      url: this.#url,
      token,
      ttl: FRESH_FOR_MS,
      maxStale: 0,
      timeout: 2_000,
    });
    const before = this.#current;
    const lookUps = {
      whoseLogin: createWhoseLogin(client),
      askOwner: createAskOwner(client),
      reportActions: createReportActions({ url: this.#url, token, host: hostname() }),
      reportHost: createReportHost({ url: this.#url, token, host: hostname() }),
      reportPlaces: createReportPlaces({ url: this.#url, token, host: hostname() }),
      close: () => client.close(),
    };
    this.#current = { stamp, lookUps };
    await before?.lookUps.close();
  }
}

/**
 * Creates the directory look-ups: tokens authenticate themselves, logins use the service's own token. Throws if that token's file cannot
 * be read or used.
 */
export async function openDirectory({
  directoryUrl: url,
  directoryToken,
}: {
  readonly directoryUrl: string;
  readonly directoryToken: TokenFile;
}): Promise<OpenDirectory> {
  const fromFile = new FromFile(url, directoryToken);
  await fromFile.load();
  return {
    whoseToken: createWhoseToken(url),
    whoseLogin: async (login) => {
      const lookUps = await fromFile.lookUps();
      if (lookUps === undefined)
        throw new EngineError(
          "forbidden",
          `this service has no directory token to ask who has a login: ${directoryToken.file} is missing`,
        );
      return await lookUps.whoseLogin(login);
    },
    askOwner: async (owner) => await (await fromFile.lookUps())?.askOwner(owner),
    reportActions: async (actions) => await ((await fromFile.lookUps()) ?? NO_DIRECTORY).reportActions(actions),
    reportHost: async (report) => await ((await fromFile.lookUps()) ?? NO_DIRECTORY).reportHost(report),
    reportPlaces: async (...report) => await ((await fromFile.lookUps()) ?? NO_DIRECTORY).reportPlaces(...report),
    reload: () => fromFile.load(),
    close: () => fromFile.close(),
  };
}

/** Where there is no token. */
export const NO_DIRECTORY: OwnToken = {
  askOwner: async () => undefined,
  reportActions: cannotReport,
  reportHost: cannotReport,
  reportPlaces: cannotReport,
};

async function cannotReport(): Promise<never> {
  throw new EngineError("unavailable", "this service has no directory token to report with");
}

/** Tells whether the file was replaced or written; undefined if there is none. */
function stampOf(file: string): Promise<string | undefined> {
  return stat(file).then(
    ({ ino, mtimeMs, ctimeMs }) => `${ino} ${mtimeMs} ${ctimeMs}`,
    () => undefined,
  );
}

async function readToken({ file: path, isRequired }: TokenFile): Promise<string | undefined> {
  const file = await open(path).catch((cause: NodeJS.ErrnoException) => {
    if (!isRequired && cause.code === "ENOENT") return undefined;
    throw new Error(`BERTH_DIRECTORY_TOKEN_FILE: ${path} cannot be read`, { cause });
  });
  if (file === undefined) return undefined;
  try {
    if (((await file.stat()).mode & 0o007) !== 0)
      throw new Error(`BERTH_DIRECTORY_TOKEN_FILE: everyone may open ${path}: chmod 600 it`);
    const token = (await file.readFile("utf8")).trim();
    if (!/^bth_[\w-]+$/.test(token))
      throw new Error(`BERTH_DIRECTORY_TOKEN_FILE: ${path} does not hold a directory token (bth_…)`);
    return token;
  } finally {
    await file.close();
  }
}
