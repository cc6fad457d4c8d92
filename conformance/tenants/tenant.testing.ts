import { type Answer, type AskOptions, ask } from "../../scripts/ask.mjs";
import type { BerthWithDirectory } from "../berth.testing.ts";

const PASS = "a long password nobody guesses";

/** A user of the directory, and its requests to the engine over TCP. */
export interface Tenant {
  readonly id: number;
  readonly token: string;
  /** `http://host:port` of the engine. */
  readonly url: string;
  ask(method: string, path: string, options?: AskOptions): Promise<Answer>;
}

export async function askDirectory(berth: BerthWithDirectory, method: string, path: string, json?: unknown) {
  const headers = { authorization: `Bearer ${berth.adminToken}` };
  const answer = await ask(`${berth.directoryUrl}/api${path}`, { method, json, headers });
  if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status} ${answer.text}`);
  return answer.json;
}

/** Adds a user with these constraints, and signs it in. */
export async function addTenant(
  berth: BerthWithDirectory,
  login: string,
  constraints: readonly object[] = [],
): Promise<Tenant> {
  const { id } = await askDirectory(berth, "POST", "/users", { login, email: `${login}@example.com`, pass: PASS });
  for (const constraint of constraints) await askDirectory(berth, "POST", `/users/${id}/constraints`, constraint);
  const { token } = await askDirectory(berth, "POST", "/login", { login, pass: PASS });
  const url = berth.tcp.replace("tcp:", "http:");
  return {
    id,
    token,
    url,
    ask: (method, path, options = {}) => {
      const headers = { authorization: `Bearer ${token}`, ...options.headers };
      return ask(`${url}/v1.41${path}`, { method, ...options, headers });
    },
  };
}
