import { z } from "zod";
import { type RowKind, STRING_MAP } from "./row-kind.ts";

type Texts = Readonly<Record<string, string>>;

/** Rows of `volumes`. */
export const VOLUME_ROW: RowKind<{ readonly labels: Texts; readonly options: Texts }> = {
  name: "volume",
  columns: z.object({ labels: STRING_MAP, options: STRING_MAP }),
  upgrades: [],
};
