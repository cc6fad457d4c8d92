import { once } from "node:events";
import { chmod, mkdir, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname } from "node:path";
import { text } from "node:stream/consumers";
import type { Recovered } from "./bootstrap/recover-administrator.ts";
import { DirectoryError } from "./errors/directory-error.ts";

/**
 * Serves `POST /recover-admin` on a Unix socket that only the service's own user (and root) may open: being able to is the proof of
 * control over the host. `berth recover-admin` asks here.
 */
export async function serveRecovery(
  path: string,
  recover: (login: string) => Promise<Recovered>,
): Promise<{ readonly close: () => Promise<void> }> {
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    try {
      if (request.method !== "POST" || request.url !== "/recover-admin")
        return answer(404, { detail: "POST /recover-admin" });
      const { login } = JSON.parse(await text(request)) as { login?: unknown };
      return answer(200, await recover(String(login)));
    } catch (fault) {
      const detail = fault instanceof DirectoryError ? fault.message : "internal error; see the service log";
      return answer(fault instanceof DirectoryError ? 422 : 500, { detail });
    }
  });
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // A socket that a killed service left behind.
  await rm(path, { force: true });
  server.listen(path);
  await once(server, "listening");
  await chmod(path, 0o600);
  return {
    async close() {
      server.close();
      server.closeAllConnections();
      await rm(path, { force: true });
    },
  };
}
