import type { Room } from "./disk-quota.ts";

/** More than any test takes. */
export const AMPLE_ROOM: Room = { layer: 2 ** 36, image: 2 ** 37, free: async () => 2 ** 40 };
