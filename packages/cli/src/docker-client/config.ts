import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Refused } from "../api.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Fields = Readonly<Record<string, unknown>>;

/** Docker's settings of the user, as the docker command finds them. */
export function dockerConfigPath({ DOCKER_CONFIG, HOME = "/" }: Environment): string {
  return join(DOCKER_CONFIG ?? join(HOME, ".docker"), "config.json");
}

/** The token that the docker command sends; undefined where it sends none, or another kind of credential. */
export async function readDockerToken(path: string): Promise<string | undefined> {
  const { HttpHeaders } = await readConfig(path).catch((): Fields => ({}));
  const [, header] = Object.entries(recordOf(HttpHeaders)).find(([name]) => isAuthorization(name)) ?? [];
  return typeof header === "string" ? /^Bearer (bth_[\w-]+)$/.exec(header)?.[1] : undefined;
}

/**
 * Makes the docker command send the token, or none; everything else stays as it is. The file is the user's alone from then on.
 * @throws Refused where it is not a file of Docker's.
 */
export async function writeDockerToken(path: string, token: string | undefined): Promise<void> {
  const config = await readConfig(path);
  const others = Object.entries(recordOf(config.HttpHeaders)).filter(([name]) => !isAuthorization(name));
  const headers = [...others, ...(token === undefined ? [] : [["Authorization", `Bearer ${token}`] as const])];
  const { HttpHeaders: _, ...rest } = config;
  const kept = headers.length === 0 ? rest : { ...rest, HttpHeaders: Object.fromEntries(headers) };
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const part = `${path}.${process.pid}.part`;
  try {
    await writeFile(part, `${JSON.stringify(kept, null, "\t")}\n`, { mode: 0o600, flag: "wx" });
    await rename(part, path);
  } catch (fault) {
    await rm(part, { force: true });
    throw new Refused(`cannot write ${path}: ${(fault as Error).message}`);
  }
}

async function readConfig(path: string): Promise<Fields> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return {};
  const content = await readFile(path, "utf8").catch((fault: Error) => {
    throw new Refused(`cannot read ${path}: ${fault.message}`);
  });
  try {
    const config: unknown = content.trim() === "" ? {} : JSON.parse(content);
    if (typeof config === "object" && config !== null && !Array.isArray(config)) return config as Fields;
  } catch {
    // The same as any other text that is no object.
  }
  throw new Refused(`${path} is not JSON as Docker writes it; repair it first`);
}

function recordOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function isAuthorization(name: string): boolean {
  return name.toLowerCase() === "authorization";
}
