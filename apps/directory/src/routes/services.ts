import type { Deps } from "../accounts/deps.ts";
import type { Announcements } from "../cache/announcements.ts";
import type { EffectiveOf } from "../cache/effective-cache.ts";
import type { Cursors } from "../http/cursor.ts";

/** Everything that routes depend on. */
export interface Services extends Deps {
  readonly cursors: Cursors;
  readonly announcements: Announcements;
  readonly effectiveOf: EffectiveOf;
}
