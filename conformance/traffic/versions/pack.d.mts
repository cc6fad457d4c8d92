import type { ByVersion } from "./play.mjs";

export function packed(recording: ByVersion): string;
export function unpacked(text: string): ByVersion;
