import { createServer, request } from "node:http";
import { connect } from "node:net";

/**
 * @typedef {{ method: string, url: string, status: number, headers: import("node:http").IncomingHttpHeaders, body: Buffer }} Exchange
 */

/**
 * Stands between a client and an engine and passes everything on; `heard` learns each answer once it is over.
 * @param {{ engine: string, socket: string, heard: (exchange: Exchange) => void }} where two paths of Unix sockets
 * @returns {Promise<{ idle: () => Promise<void>, close: () => void }>} `idle` settles when no exchange is under way
 */
export async function startProxy({ engine, socket, heard }) {
  /** @type {Set<Promise<void>>} */
  const open = new Set();
  const server = createServer((asked, answer) => {
    const passed = ask(asked);
    const response = whenResponse(passed);
    asked.pipe(passed);
    // A client that leaves leaves the engine too.
    answer.on("close", () => passed.destroy());
    track(
      response.then(async (from) => {
        answer.writeHead(from.statusCode ?? 0, from.statusMessage, from.rawHeaders);
        answer.flushHeaders();
        const body = copied(from);
        from.pipe(answer);
        record(asked, from, await body);
      }),
    );
  });

  // What follows an upgrade's headers, its body included, is passed on as it comes.
  server.on("upgrade", (asked, client, head) => {
    const upstream = connect({ path: engine, allowHalfOpen: true });
    upstream.write(headOf(asked));
    upstream.write(head);
    const bytes = copied(upstream);
    client.on("error", () => upstream.destroy());
    client.on("close", () => upstream.destroy());
    upstream.on("error", () => client.destroy());
    client.pipe(upstream);
    upstream.pipe(client);
    track(bytes.then((all) => heard({ method: asked.method, url: asked.url, ...parsed(all) })));
  });

  const ask = ({ method, url, rawHeaders }) =>
    request({ socketPath: engine, method, path: url, headers: pairs(rawHeaders), setDefaultHeaders: false });
  const record = ({ method, url }, { statusCode, headers }, body) =>
    heard({ method, url, status: statusCode, headers, body });
  const track = (work) => {
    const settled = work.catch(() => undefined).finally(() => open.delete(settled));
    open.add(settled);
  };

  await new Promise((listening) => server.listen(socket, () => listening(undefined)));
  return {
    idle: async () => {
      await Promise.all(open);
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function whenResponse(passed) {
  return new Promise((settle, reject) => {
    passed.on("response", settle);
    passed.on("error", reject);
  });
}

/** Everything that a stream gives, beside whoever else reads it. */
function copied(stream) {
  return new Promise((settle) => {
    const parts = [];
    stream.on("data", (part) => parts.push(part));
    stream.on("close", () => settle(Buffer.concat(parts)));
  });
}

/** Node gives headers as a flat list. */
function pairs(raw) {
  const headers = {};
  for (let at = 0; at < raw.length; at += 2) headers[raw[at]] = raw[at + 1];
  return headers;
}

function headOf({ method, url, rawHeaders }) {
  const lines = Object.entries(pairs(rawHeaders)).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${url} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

/** An answer from its bytes. */
function parsed(bytes) {
  const end = bytes.indexOf("\r\n\r\n");
  const [first = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(":")).toLowerCase(),
    line.slice(line.indexOf(":") + 2),
  ]);
  return {
    status: Number(first.split(" ")[1]),
    headers: Object.fromEntries(headers),
    body: bytes.subarray(end + 4),
  };
}
