import { EngineError } from "../engine/errors.ts";

/** Limits on the disk space of images, in bytes: a small archive can unpack to more than any disk holds. */
export interface DiskQuota {
  /** Limit for one unpacked layer and for any other incoming file. */
  readonly layer: number;
  /** Limit for all unpacked layers of one image. */
  readonly image: number;
  /** Free space above the reserve. Throws `full` if there is none. */
  free(): Promise<number>;
}

/** How many bytes pass between two checks of the free space. */
const STEP_BYTES = 64 << 20;

/** Throws `too-large`. */
export function assertLayerFits({ layer }: Pick<DiskQuota, "layer">, bytes: number): void {
  if (bytes > layer) throw new EngineError("too-large", `unpacked size exceeds BERTH_LAYER_LIMIT (${layer} bytes)`);
}

/** Throws `too-large`. */
export function assertImageFits({ image }: Pick<DiskQuota, "image">, bytes: number): void {
  if (bytes > image) throw new EngineError("too-large", `the image's layers exceed BERTH_IMAGE_LIMIT (${image} bytes)`);
}

/** Passes the bytes through. Throws `too-large` past the layer limit and `full` if the disk runs out of space. */
export async function* within(quota: DiskQuota, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let total = 0;
  let step = 0;
  for await (const chunk of bytes) {
    total += chunk.length;
    assertLayerFits(quota, total);
    if (total > step) {
      await quota.free();
      step = total + STEP_BYTES;
    }
    yield chunk;
  }
}
