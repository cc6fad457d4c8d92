import { connect } from "node:net";

/** How long an answer's head may take, and how much of a stream's body is read. */
const LIMIT_MS = 30_000;
const BODY_MS = 500;
const BODY_BYTES = 65_536;

/**
 * Sends a request of any bytes, and gives the status and the beginning of the body; status 0 where no head comes in half a minute, and
 * -1 where the connection ends before it.
 * @param {string} socketPath
 * @param {{ method: string, path: string, headers: Record<string, string>, body: Buffer | undefined }} request
 * @returns {Promise<{ status: number, text: string }>}
 */
export function rawAnswer(socketPath, { method, path, headers, body }) {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    let text = "";
    let timer = setTimeout(() => done(0), LIMIT_MS);
    const done = (status) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ status, text });
    };
    const heard = () => Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1] ?? -1);
    socket.on("data", (data) => {
      const before = text.includes("\r\n\r\n");
      text += data.toString("latin1");
      // 100 is no answer yet.
      text = text.replace(/^HTTP\/1\.1 100 .*?\r\n\r\n/s, "");
      if (text.length > BODY_BYTES) return done(heard());
      if (before || !text.includes("\r\n\r\n")) return;
      clearTimeout(timer);
      timer = setTimeout(() => done(heard()), BODY_MS);
    });
    socket.on("error", () => done(heard()));
    socket.on("close", () => done(heard()));
    const lines = Object.entries({
      Host: "localhost",
      Connection: "close",
      ...headers,
      ...(body === undefined ? {} : { "Content-Length": String(body.length) }),
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1"));
    if (body !== undefined) socket.write(body);
  });
}
