import { EngineError } from "../engine/errors.ts";

/** How much images may take, in bytes. A few megabytes of an archive can unpack to more than any disk holds. */
export interface Room {
  /** Most of one layer, unpacked, and of any other file that comes in. */
  readonly layer: number;
  /** Most of all layers of one image, unpacked. */
  readonly image: number;
  /** What there is for more; throws `failed` where the disk is left with its reserve. */
  free(): Promise<number>;
}

/** How often bytes on their way are held against what the disk has left. */
const STEP_BYTES = 64 << 20;

/** Throws `too-large`. */
export function insistOnLayer({ layer }: Pick<Room, "layer">, bytes: number): void {
  if (bytes > layer)
    throw new EngineError(
      "too-large",
      `what is to be unpacked takes more than the ${layer} bytes of BERTH_LAYER_LIMIT`,
    );
}

/** Throws `too-large`. */
export function insistOnImage({ image }: Pick<Room, "image">, bytes: number): void {
  if (bytes > image)
    throw new EngineError("too-large", `the image's layers take more than the ${image} bytes of BERTH_IMAGE_LIMIT`);
}

/** The same bytes, as long as they are no more than a layer may have and the disk has room for them. */
export async function* within(room: Room, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let total = 0;
  let step = 0;
  for await (const chunk of bytes) {
    total += chunk.length;
    insistOnLayer(room, total);
    if (total > step) {
      await room.free();
      step = total + STEP_BYTES;
    }
    yield chunk;
  }
}
