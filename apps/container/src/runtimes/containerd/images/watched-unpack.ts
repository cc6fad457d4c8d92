import { assertLayerFits, type DiskQuota } from "../../../images/disk-quota.ts";

const EVERY_MS = 200;

/**
 * Runs `unpack`, which containerd carries out, and aborts it by the signal as soon as the layer is too large or the disk as good
 * as full. What the disk has lost since the last look at the layer says when another look is worth its cost, a walk over its files.
 *
 * @param usage the layer's current size in bytes.
 */
export async function watchedUnpack<T>(
  quota: DiskQuota,
  { usage, signal }: { readonly usage: () => Promise<number>; readonly signal: AbortSignal | undefined },
  unpack: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const tooLarge = new AbortController();
  const done = new AbortController();
  let known = 0;
  let then = await quota.free();
  const look = async (): Promise<void> => {
    const now = await quota.free();
    if (known + then - now <= quota.layer) return;
    known = await usage();
    then = now;
    assertLayerFits(quota, known);
  };
  const watch = async (): Promise<void> => {
    while (!done.signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, EVERY_MS);
        done.signal.addEventListener("abort", () => {
          clearTimeout(timer);
          resolve();
        });
      });
      if (!done.signal.aborted) await look();
    }
  };
  const watching = watch().catch((thrown: unknown) => tooLarge.abort(thrown));
  try {
    return await unpack(AbortSignal.any([tooLarge.signal, ...(signal ? [signal] : [])]));
  } catch (thrown) {
    throw tooLarge.signal.aborted ? tooLarge.signal.reason : thrown;
  } finally {
    done.abort();
    await watching;
  }
}
