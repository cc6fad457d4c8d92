import { DirectoryError } from "../errors/directory-error.ts";
import { parseJsonText } from "./json-text.ts";

export const MAX_BODY_BYTES = 64 * 1_024;

/** Reads a JSON body: at most `limit` bytes of UTF-8, of one of `types`, and not compressed, since it could expand to any size. */
export async function readJsonBody(
  request: Request,
  types: readonly string[],
  limit: number = MAX_BODY_BYTES,
): Promise<unknown> {
  requireType(request, types);
  const bytes = await readBytes(request, limit);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new DirectoryError("malformed", "The body is not UTF-8.");
  }
  return parseJsonText(text);
}

function requireType(request: Request, types: readonly string[]): void {
  const [type = "", ...parameters] = (request.headers.get("content-type") ?? "")
    .split(";")
    .map((part) => part.trim().toLowerCase());
  const charset = parameters
    .find((one) => one.startsWith("charset="))
    ?.slice("charset=".length)
    .replaceAll('"', "");
  if (!types.includes(type) || (charset !== undefined && charset !== "utf-8" && charset !== "utf8"))
    throw new DirectoryError("unsupported-media-type", `Send the body as ${types.join(" or ")} in UTF-8.`);
  const encoding = request.headers.get("content-encoding") ?? "identity";
  if (encoding !== "identity")
    throw new DirectoryError("unsupported-media-type", "Send the body without Content-Encoding.");
}

async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const tooLarge = () => new DirectoryError("too-large", `The body exceeds ${limit} bytes.`);
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let length = 0;
  if (request.body !== null) {
    for await (const chunk of request.body) {
      length += chunk.byteLength;
      if (length > limit) throw tooLarge();
      chunks.push(chunk);
    }
  }
  return Buffer.concat(chunks);
}
