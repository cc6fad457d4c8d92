import { request } from "node:http";
import { json } from "node:stream/consumers";
import { Refused } from "./api.ts";

/** Sends a request without a body to the engine's socket. Throws `Refused` if nothing answers there, or not in JSON. */
export function askEngine(
  socketPath: string,
  method: string,
  path: string,
): Promise<{ readonly status: number; readonly body: unknown }> {
  return new Promise((resolve, reject) => {
    const refuse = (fault: Error) =>
      reject(new Refused(`the engine at ${socketPath} does not answer: ${fault.message}`));
    const asking = request({ socketPath, method, path, headers: { host: "berth" } }, (response) => {
      json(response).then((body: unknown) => resolve({ status: response.statusCode ?? 0, body }), refuse);
    });
    asking.once("error", refuse);
    asking.end();
  });
}
