import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Values that the directory gives away and reads again, which nobody else can read, make or use after their end. */
export interface Sealer {
  seal(value: object, until: Date): string;
  /** Undefined for what was not sealed here, or has ended. */
  open(text: string): unknown;
}

/** @param purpose keeps what is sealed for one use from any other. */
export function createSealer(key: string, purpose: string, now: () => Date): Sealer {
  const secret = createHash("sha256").update(`${purpose}\n${key}`).digest();
  return {
    seal(value, until) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", secret, iv);
      const content = JSON.stringify({ value, until: until.getTime() });
      const sealed = [iv, cipher.update(content, "utf8"), cipher.final()];
      return Buffer.concat([...sealed, cipher.getAuthTag()]).toString("base64url");
    },
    open(text) {
      const bytes = Buffer.from(text, "base64url");
      if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined;
      try {
        const decipher = createDecipheriv("aes-256-gcm", secret, bytes.subarray(0, IV_BYTES));
        decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
        const content = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
        const { value, until } = JSON.parse(content.toString()) as { value: unknown; until: number };
        return until > now().getTime() ? value : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
