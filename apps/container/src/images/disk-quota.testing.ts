import type { DiskQuota } from "./disk-quota.ts";

/** Larger than any test needs. */
export const AMPLE_QUOTA: DiskQuota = { layer: 2 ** 36, image: 2 ** 37, free: async () => 2 ** 40 };
