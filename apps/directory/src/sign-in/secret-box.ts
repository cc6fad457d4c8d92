import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { SecretBox } from "../accounts/deps.ts";

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals secrets with AES-256-GCM, each for its owner alone: a row that was copied to another user opens nothing.
 *
 * @param keys the first seals; the others still open what was sealed before.
 */
export function createSecretBox(keys: readonly string[]): SecretBox {
  const [newest, ...older] = keys.map((key) => Buffer.from(hkdfSync("sha256", key, "", "second factor", 32)));
  if (newest === undefined) throw new Error("a secret box needs a key");
  return {
    seal(owner, secret) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", newest, iv).setAAD(Buffer.from(`user/${owner}`));
      return Buffer.concat([iv, cipher.update(secret), cipher.final(), cipher.getAuthTag()]).toString("base64");
    },
    open(owner, sealed) {
      for (const key of [newest, ...older]) {
        const secret = opened(key, owner, Buffer.from(sealed, "base64"));
        if (secret !== undefined) return secret;
      }
      throw new Error(
        `the second factor of user ${owner} cannot be read: it was sealed with a key that BERTH_SECOND_FACTOR_KEY_FILE no longer holds`,
      );
    },
  };
}

function opened(key: Uint8Array, owner: number, bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(`user/${owner}`)).setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    return undefined;
  }
}
