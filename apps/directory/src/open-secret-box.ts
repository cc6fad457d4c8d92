import { readFile } from "node:fs/promises";
import type { SecretBox } from "./accounts/deps.ts";
import type { Records } from "./accounts/stores.ts";
import { createSecretBox } from "./sign-in/secret-box.ts";

const SETTING = "BERTH_SECOND_FACTOR_KEY_FILE";
const SHORTEST_KEY = 32;

/**
 * Opens what second factors are sealed in. A key from the file seals, so that a copy of the database alone opens nothing; the database's own
 * key seals where there is no file, and still opens what was sealed before there was one.
 * @throws an error that names the setting and what is wrong with the file.
 */
export async function openSecretBox(records: Pick<Records, "setting">, file: string | undefined): Promise<SecretBox> {
  const fromFile = file === undefined ? [] : keysIn(await readKeyFile(file), file);
  return createSecretBox([...fromFile, await records.setting("second-factor-key")]);
}

function readKeyFile(file: string): Promise<string> {
  return readFile(file, "utf8").catch((cause: unknown) => {
    throw new Error(`${SETTING}: ${file} cannot be read`, { cause });
  });
}

/** One key a line, the newest first. */
function keysIn(content: string, file: string): readonly string[] {
  const keys = content
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  if (keys.length === 0 || keys.some((key) => key.length < SHORTEST_KEY))
    throw new Error(`${SETTING}: ${file} must hold keys of at least ${SHORTEST_KEY} characters, one a line`);
  return keys;
}
