import { request } from "node:http";

/**
 * A request. `upgrade` asks for the connection; `cut` leaves an endless answer after its head, or its first line.
 * @typedef {{ method: string, url: string, headers: Record<string, string>, body: Buffer | undefined, upgrade: boolean, cut: "head" | "line" | undefined }} Asked
 */

/**
 * Makes one request and reads its answer, a taken-over connection's included.
 * @param {string} socket the path of the engine's Unix socket
 * @param {Asked} asked
 * @returns {Promise<import("../proxy.mjs").Exchange>} with the status 0 where no head comes within a minute
 */
export function exchange(socket, { method, url, headers, body, upgrade, cut }) {
  return new Promise((resolve, reject) => {
    const sent = request({
      socketPath: socket,
      method,
      path: url,
      headers: {
        ...(body === undefined ? {} : { "content-length": body.length }),
        ...(upgrade ? { connection: "Upgrade", upgrade: "tcp" } : {}),
        ...headers,
      },
      agent: false,
      timeout: 60_000,
    });
    /** @type {Buffer[]} */
    const parts = [];
    const answered = (response, stream) => {
      const done = () => {
        stream.destroy();
        const { statusCode: status = 0, headers: given } = response;
        resolve({ method, url, status, headers: given, body: Buffer.concat(parts) });
      };
      if (cut === "head") return done();
      stream.on("data", (part) => {
        parts.push(part);
        if (cut === "line" && part.includes("\n")) done();
      });
      stream.on("end", done);
      stream.on("error", reject);
    };
    sent.on("response", (response) => answered(response, response));
    sent.on("upgrade", (response, stream, head) => {
      parts.push(head);
      answered(response, stream);
    });
    sent.on("timeout", () => {
      resolve({ method, url, status: 0, headers: {}, body: Buffer.concat(parts) });
      sent.destroy();
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
