import type { Image } from "../images/images.ts";

/** An image of one layer. */
export const image = {
  id: `sha256:${"a".repeat(64)}`,
  repoTags: ["busybox:latest"],
  repoDigests: [],
  parent: "",
  createdAt: "2026-01-02T03:04:05Z",
  architecture: "amd64",
  variant: "",
  os: "linux",
  author: "",
  comment: "",
  dockerVersion: "",
  container: "",
  size: 10,
  config: { Cmd: ["sh"] },
  layers: "",
  diffIds: ["sha256:d1"],
  history: [
    { created: "2026-01-01T00:00:00Z", createdBy: "ADD", comment: "", emptyLayer: false, size: 10 },
    { created: "2026-01-02T00:00:00Z", createdBy: "CMD", comment: "", emptyLayer: true, size: 0 },
  ],
} as Image;

/** A fake that notes what it was called with, and answers. */
export const noted = <T>(answer: T) => {
  const calls: unknown[][] = [];
  const call = (...args: unknown[]): T => {
    calls.push(args);
    return answer;
  };
  return { calls, call };
};
