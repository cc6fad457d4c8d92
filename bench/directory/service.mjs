// The directory as it is built, over a database of the bench's.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { endOf } from "../processes.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { Pool } = createRequire(join(root, "apps/container/package.json"))("undici");

/**
 * Starts the directory over the Postgres at `url`.
 * @returns its process; `get(path)` and `post(path, body)` as the first administrator, which answer with the text and the
 *   path of the next page; and what ends it.
 */
export async function startDirectory({ url, folder, port, connections }) {
  const directory = spawn(process.execPath, [join(root, "apps/directory/dist/bundle/main.js")], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: url,
      BERTH_STATE: folder,
      BERTH_DIRECTORY_LISTEN: `127.0.0.1:${port}`,
      BERTH_LOG_LEVEL: "error",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const chunk of directory.stdout) if (String(chunk).includes("listens")) break;
  const token = readFileSync(join(folder, "admin-token"), "utf8").trim();
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections });
  const ask = async (method, path, body) => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) };
    const answer = await pool.request({ method, path, headers, body: body && JSON.stringify(body) });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    return { text, next: /<([^>]+)>/.exec(answer.headers.link ?? "")?.[1] };
  };
  return {
    pid: directory.pid,
    get: (path) => ask("GET", path),
    post: (path, body) => ask("POST", path, body),
    async stop() {
      await pool.close();
      await endOf(directory);
    },
  };
}
