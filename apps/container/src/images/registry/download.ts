import { setTimeout as sleep } from "node:timers/promises";
import type { Descriptor } from "../manifest/manifest.ts";
import { expectStatus, headerOf, unanswered } from "./http.ts";
import { isTransient, RegistryError } from "./registry-error.ts";
import type { Session } from "./session.ts";

export interface RetryPolicy {
  /** How many attempts in a row may yield no new byte. */
  readonly attempts: number;
  /** Delay before the first retry; doubles each time. */
  readonly delayMs: number;
}

const MAX_DELAY_MS = 30_000;

/**
 * Streams a blob and resumes interrupted transfers (HTTP Range). Throws a RegistryError for more bytes than the descriptor's size.
 * The consumer verifies the digest.
 */
export async function* downloadBlob(
  session: Session,
  repository: string,
  { digest, size }: Descriptor,
  {
    retry,
    signal,
    onRetry,
  }: { readonly retry: RetryPolicy; readonly signal: AbortSignal; readonly onRetry: (seconds: number) => void },
): AsyncGenerator<Buffer> {
  const path = `/v2/${repository}/blobs/${digest}`;
  const scope = `repository:${repository}:pull`;
  let offset = 0;
  let failures = 0;
  while (offset < size || (size === 0 && failures === 0)) {
    try {
      const headers = offset === 0 ? {} : { range: `bytes=${offset}-` };
      const response = await session.send(path, { method: "GET", headers, scope, signal });
      await expectStatus(response, 200, 206);
      // A registry without range support starts over: skip the bytes received already.
      let skip = response.statusCode === 206 ? offset - rangeStart(headerOf(response, "content-range")) : offset;
      if (skip < 0) throw new RegistryError(`the registry left out a part of blob ${digest}`, { status: 206 });
      for await (const chunk of response.body as AsyncIterable<Buffer>) {
        const fresh = chunk.subarray(skip);
        skip = Math.max(0, skip - chunk.length);
        if (fresh.length === 0) continue;
        offset += fresh.length;
        failures = 0;
        if (offset > size) throw new RegistryError(`blob ${digest} is larger than its ${size} bytes`, { status: 200 });
        yield fresh;
      }
      if (offset === size) return;
      throw new RegistryError(`unexpected EOF in blob ${digest}`);
    } catch (thrown) {
      signal.throwIfAborted();
      const failure = thrown instanceof RegistryError ? thrown : unanswered("GET", session.endpoint.url + path, thrown);
      failures++;
      if (!isTransient(failure) || failures >= retry.attempts) throw failure;
      const delay = Math.min(failure.retryAfterMs ?? retry.delayMs * 2 ** (failures - 1), MAX_DELAY_MS);
      onRetry(Math.ceil(delay / 1000));
      await sleep(delay, undefined, { signal });
    }
  }
}

function rangeStart(contentRange: string | undefined): number {
  return Number(/^bytes (\d+)-/.exec(contentRange ?? "")?.[1] ?? Number.NaN);
}
