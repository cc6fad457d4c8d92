import { someImage } from "../../images/some-image.testing.ts";

/** An image of one layer. */
export const image = someImage({
  createdAt: "2026-01-02T03:04:05Z",
  size: 10,
  layerSizes: [10],
  config: { Cmd: ["sh"] },
  diffIds: ["sha256:d1"],
  history: [
    { created: "2026-01-01T00:00:00Z", createdBy: "ADD", comment: "", emptyLayer: false, size: 10 },
    { created: "2026-01-02T00:00:00Z", createdBy: "CMD", comment: "", emptyLayer: true, size: 0 },
  ],
});

/** A fake that records its calls and returns a fixed answer. */
export function noted<T>(answer: T) {
  const calls: unknown[][] = [];
  const call = (...args: unknown[]): T => {
    calls.push(args);
    return answer;
  };
  return { calls, call };
}
