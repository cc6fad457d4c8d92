import { Session } from "node:inspector/promises";

const MIB = 2 ** 20;
const DEFAULTS = { everyMs: 20_000, idleShare: 0.02 };
/** A collection stops the service for about two milliseconds a mebibyte: a larger heap is left to V8, which collects in steps. */
const LARGEST_HEAP = 128 * MIB;
/** Less is not worth a collection. */
const LEAST_GAIN = 8 * MIB;

/**
 * Gives memory back to the system where the service is idle and its heap has grown, as after its start: V8 by itself keeps a young
 * generation of up to 48 MiB, and garbage in the old one, until there is work again.
 * @param options `everyMs`: how often to look; `idleShare`: the share of a processor that an idle service takes at most
 */
export function releaseIdleMemory(options: Partial<typeof DEFAULTS> = {}): { close(): void } {
  const { everyMs, idleShare } = { ...DEFAULTS, ...options };
  let before = process.cpuUsage();
  let kept = 0;
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    const isIdle = (user + system) / 1000 < idleShare * everyMs;
    const { heapTotal, heapUsed } = process.memoryUsage();
    if (!isIdle || heapUsed > LARGEST_HEAP || heapTotal < kept + LEAST_GAIN) return;
    void collectAll().then(
      () => {
        kept = process.memoryUsage().heapTotal;
      },
      // V8 cannot be asked: the service goes on with what it has.
      () => clearInterval(timer),
    );
  }, everyMs).unref();
  return { close: () => clearInterval(timer) };
}

/** Collects all garbage, and shrinks the heap. `gc()` of `--expose-gc` does not shrink it. */
async function collectAll(): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post("HeapProfiler.collectGarbage");
  session.disconnect();
}
