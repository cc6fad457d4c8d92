import { request } from "node:http";
import { request as requestTls } from "node:https";

/**
 * Makes one HTTP request and reads the whole answer.
 * @param {string} target an `http://` or `https://` URL, or `unix:SOCKET` with `path` apart, as the Docker CLI spells it.
 * @param {{ method?: string, path?: string, json?: unknown, body?: import("node:stream").Readable | Buffer, headers?: Record<string, string>, timeout?: number, agent?: import("node:http").Agent }} [options]
 *   `timeout` in milliseconds, 30 s unless told.
 * @returns {Promise<{ status: number, headers: import("node:http").IncomingHttpHeaders, text: string, json: any }>}
 *   `json` is undefined where the body is none. Rejects where no answer comes; any status is an answer.
 */
export function ask(target, { method = "GET", path = "/", json, body, headers = {}, timeout = 30_000, agent } = {}) {
  const payload = json === undefined ? body : Buffer.from(JSON.stringify(json));
  const place = target.startsWith("unix:")
    ? { socketPath: target.replace(/^unix:(\/\/)?/, ""), path }
    : fromUrl(new URL(target));
  return new Promise((resolve, reject) => {
    const sent = (target.startsWith("https:") ? requestTls : request)({
      ...place,
      method,
      agent,
      timeout,
      headers: {
        ...(json === undefined ? {} : { "content-type": "application/json" }),
        ...(Buffer.isBuffer(payload) ? { "content-length": payload.length } : {}),
        ...headers,
      },
    });
    sent.on("timeout", () => sent.destroy(new Error(`no answer from ${target} within ${timeout} ms`)));
    sent.on("error", reject);
    sent.on("response", async (response) => {
      // An answer may come before the whole body is sent: Node listens no longer for the connection's errors once it has ended.
      if (!sent.writableFinished) response.socket.on("error", () => undefined);
      try {
        const parts = [];
        for await (const part of response) parts.push(part);
        const text = Buffer.concat(parts).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parsed(text) });
      } catch (cause) {
        reject(cause);
      }
    });
    if (payload === undefined || Buffer.isBuffer(payload)) sent.end(payload);
    else payload.on("error", (cause) => sent.destroy(cause)).pipe(sent);
  });
}

// A URL writes an IPv6 address in brackets, the resolver knows none.
function fromUrl({ hostname, port, pathname, search }) {
  return { hostname: hostname.replace(/^\[|\]$/g, ""), port, path: pathname + search };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
