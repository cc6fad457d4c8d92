import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";

/** A way to a test's database that the test can close, as the end of Postgres does, and open again. */
export interface Relay {
  /** By TCP over the relay. */
  readonly url: string;
  /** Cuts every connection; later ones are refused. */
  close(): Promise<void>;
  open(): Promise<void>;
  /** Cuts the clients' side alone: Postgres does not notice. */
  cutClients(): void;
}

/** @param target the URL of a database behind a Unix socket. */
export async function openRelay(target: string): Promise<Relay> {
  const { hostname, username, pathname } = new URL(target);
  const socket = join(decodeURIComponent(hostname), ".s.PGSQL.5432");
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(socket);
    client.pipe(upstream, { end: false }).pipe(client);
    client.on("error", () => undefined);
    upstream.on("error", () => undefined);
    clients.add(client);
    client.once("close", () => clients.delete(client));
  });
  const listen = async (port: number): Promise<number> => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(0);
  const cutClients = () => {
    for (const client of clients) client.destroy();
  };
  return {
    url: `postgres://${username}@127.0.0.1:${port}${pathname}`,
    async close() {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      cutClients();
      await closed;
    },
    async open() {
      await listen(port);
    },
    cutClients,
  };
}
