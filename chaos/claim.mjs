import { once } from "node:events";
import { createServer } from "node:net";

const FIRST_PORT = 27_300;
const PORTS = 64;
const CLAIMS = 50;

/**
 * Host ports and a subnet that no other run on this host uses, as long as this process lives: who listens on the last port has them.
 * @returns {Promise<{ base: number, subnet: string }>} `base`: the first of 63 ports, below those that programs get by chance
 */
export async function claimRange() {
  for (let claim = 0; claim < CLAIMS; claim++) {
    const base = FIRST_PORT + claim * PORTS;
    const server = createServer().listen(base + PORTS - 1, "127.0.0.1");
    const isOurs = await once(server, "listening").then(
      () => true,
      () => false,
    );
    server.unref();
    if (isOurs) return { base, subnet: `10.${200 + claim}.0.0/16` };
  }
  throw new Error(`${CLAIMS} runs on this host have all ports from ${FIRST_PORT} on`);
}
