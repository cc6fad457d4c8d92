import { open } from "node:fs/promises";
import { createDirectoryClient } from "@berth/directory-client";
import { EngineError } from "../engine/errors.ts";
import {
  type AskOwner,
  createAskOwner,
  createWhoseLogin,
  createWhoseToken,
  type Directory,
  FRESH_FOR_MS,
  type WhoseLogin,
} from "./directory.ts";

/** {@link Directory} as the service opens it. */
export interface OpenDirectory extends Directory {
  readonly askOwner: AskOwner;
  /** Reads the service's own token again. Throws, and keeps the one it has, if the file cannot be read or used. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Creates the directory look-ups: tokens authenticate themselves, logins use the service's own token if one is configured.
 * Throws if the token's file cannot be read or used.
 */
export async function openDirectory({
  directoryUrl: url,
  directoryTokenFile,
}: {
  readonly directoryUrl: string;
  readonly directoryTokenFile: string | undefined;
}): Promise<OpenDirectory> {
  const whoseToken = createWhoseToken(url);
  if (directoryTokenFile === undefined)
    return {
      whoseToken,
      whoseLogin: nobody,
      askOwner: async () => undefined,
      reload: async () => {},
      close: async () => {},
    };
  const open = async () => {
    const token = await readToken(directoryTokenFile);
    // Cache for at most half a second, even while the change feed is live, and never answer from the cache if the directory is down.
    const client = createDirectoryClient({ url, token, ttl: FRESH_FOR_MS, maxStale: 0, timeout: 2_000 });
    return { whoseLogin: createWhoseLogin(client), askOwner: createAskOwner(client), close: () => client.close() };
  };
  let current = await open();
  return {
    whoseToken,
    whoseLogin: (login) => current.whoseLogin(login),
    askOwner: (owner) => current.askOwner(owner),
    reload: async () => {
      const before = current;
      current = await open();
      await before.close();
    },
    close: () => current.close(),
  };
}

const nobody: WhoseLogin = async () => {
  throw new EngineError("forbidden", "this service has no directory token to ask who has a login");
};

async function readToken(path: string): Promise<string> {
  const file = await open(path).catch((cause) => {
    throw new Error(`BERTH_DIRECTORY_TOKEN_FILE: ${path} cannot be read`, { cause });
  });
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
