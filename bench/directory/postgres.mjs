// A Postgres of the bench's own, with a large directory in it.
import { execFileSync } from "node:child_process";
import { chownSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// Debian keeps each version in a folder of its own.
const versions = readdirSync("/usr/lib/postgresql").map(Number);
const bin = `/usr/lib/postgresql/${Math.max(...versions)}/bin`;

/** Starts an empty Postgres in `folder`. @returns its URL, its process and what ends it. */
export function startPostgres({ folder, port }) {
  mkdirSync(folder);
  const [uid, gid] = ["-u", "-g"].map((of) => Number(execFileSync("id", [of, "postgres"])));
  chownSync(folder, uid, gid);
  const as = (name, ...args) =>
    execFileSync("runuser", ["-u", "postgres", "--", join(bin, name), ...args], { stdio: "ignore" });
  const data = join(folder, "data");
  as("initdb", "-D", data, "-U", "postgres", "-A", "trust", "--no-sync");
  const settings = [
    "listen_addresses=127.0.0.1",
    `port=${port}`,
    `unix_socket_directories=${folder}`,
    "shared_buffers=2GB",
    "max_wal_size=8GB",
    "fsync=off",
  ].map((one) => `-c ${one}`);
  as("pg_ctl", "start", "-w", "-D", data, "-l", join(folder, "log"), "-o", settings.join(" "));
  as("createdb", "-h", "127.0.0.1", "-p", String(port), "-U", "postgres", "berth");
  return {
    url: `postgres://postgres@127.0.0.1:${port}/berth`,
    pid: Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]),
    stop: () => as("pg_ctl", "stop", "-D", data, "-m", "immediate"),
  };
}

/** Fills a database that holds the directory's schema with `sizes` of users, groups, memberships and constraints. */
export function fill(url, sizes) {
  const variables = Object.entries(sizes).flatMap(([of, count]) => ["-v", `${of}=${count}`]);
  const file = fileURLToPath(new URL("data.sql", import.meta.url));
  execFileSync(join(bin, "psql"), [url, "-q", "-v", "ON_ERROR_STOP=1", ...variables, "-f", file], { stdio: "inherit" });
}
