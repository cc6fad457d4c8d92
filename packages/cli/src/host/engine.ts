import { request } from "node:http";
import { text } from "node:stream/consumers";
import { Refused } from "../api.ts";

/** Sends a request, and JSON where `body` is given. `body` of the answer is undefined where it has none. */
export type AskEngine = (
  method: string,
  path: string,
  body?: object,
) => Promise<{ readonly status: number; readonly body: unknown }>;

/** Asks the engine at a socket. Throws `Refused` if nothing answers there, or not in JSON. */
export function engineAt(socketPath: string): AskEngine {
  return (method, path, body) =>
    new Promise((resolve, reject) => {
      const refuse = (fault: Error) =>
        reject(new Refused(`the engine at ${socketPath} does not answer: ${fault.message}`));
      const headers = { host: "berth", ...(body === undefined ? {} : { "content-type": "application/json" }) };
      const asking = request({ socketPath, method, path, headers }, (response) => {
        const answer = async () => {
          const content = await text(response);
          const parsed: unknown = content === "" ? undefined : JSON.parse(content);
          return { status: response.statusCode ?? 0, body: parsed };
        };
        answer().then(resolve, refuse);
      });
      asking.once("error", refuse);
      asking.end(body === undefined ? undefined : JSON.stringify(body));
    });
}

/** The engine's answer; throws `Refused` with its message where it refuses. */
export async function fromEngine(ask: AskEngine, method: string, path: string, content?: object): Promise<unknown> {
  const { status, body } = await ask(method, path, content);
  if (status >= 200 && status < 300) return body;
  const { message } = typeof body === "object" && body !== null && "message" in body ? body : { message: undefined };
  throw new Refused(typeof message === "string" ? message : `the engine answered ${status}`);
}
