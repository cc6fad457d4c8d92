import http from "node:http";
import { tarOf } from "../tools/busybox-image.mjs";

/** The service took longer than a call may. */
export class NoAnswer extends Error {}

/**
 * A client of the engine there. Each call is a connection of its own, which a killed service cuts.
 * @param {string} socketPath
 * @returns {(method: string, path: string, body?: unknown, options?: { timeout?: number }) => Promise<{ status: number, json: any, bytes: Buffer, message: string | undefined }>}
 *   rejects where the answer is cut or takes longer than `timeout` milliseconds
 */
export function clientOf(socketPath) {
  return (method, path, body, { timeout = 90_000 } = {}) =>
    new Promise((resolve, reject) => {
      const isArchive = Buffer.isBuffer(body);
      const payload = body === undefined || isArchive ? body : Buffer.from(JSON.stringify(body));
      const headers = payload && {
        "content-type": isArchive ? "application/x-tar" : "application/json",
        "content-length": payload.length,
      };
      const request = http.request({ socketPath, method, path: `/v1.41${path}`, agent: false, timeout, headers });
      request.on("timeout", () => request.destroy(new NoAnswer(`no answer within ${timeout / 1000} s`)));
      request.on("error", reject);
      request.on("response", (response) => {
        const parts = [];
        response.on("data", (part) => parts.push(part));
        response.on("error", reject);
        response.on("end", () => {
          const bytes = Buffer.concat(parts);
          const json = parsed(bytes);
          resolve({ status: response.statusCode ?? 0, bytes, json, message: json?.message });
        });
      });
      request.end(payload);
    });
}

function parsed(bytes) {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** The text in the frames of an attached stream. @param {Buffer} bytes */
export function textOf(bytes) {
  let text = "";
  for (let at = 0; at + 8 <= bytes.length; at += 8 + bytes.readUInt32BE(at + 4))
    text += bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at + 4)).toString();
  return text;
}

/** An archive of one file. @param {string} name @param {string} content */
export function archiveOf(name, content) {
  return tarOf([{ name, type: "file", mode: 0o644, content: Buffer.from(content) }], 0);
}

/** The content of the only file of an archive. @param {Buffer} bytes */
export function contentOf(bytes) {
  return bytes.subarray(512, 512 + Number.parseInt(bytes.subarray(124, 135).toString(), 8)).toString();
}

/** What the page at a port says; undefined where nothing answers. @param {string} port @param {string} [host] this machine unless told */
export function pageAt(port, host = "127.0.0.1") {
  return new Promise((resolve) => {
    const request = http.get({ host, port, path: "/id", agent: false, timeout: 2000 }, (response) => {
      let text = "";
      response.on("data", (part) => {
        text += part;
      });
      response.on("end", () => resolve(text.trim()));
      response.on("error", () => resolve(undefined));
    });
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve(undefined));
  });
}
