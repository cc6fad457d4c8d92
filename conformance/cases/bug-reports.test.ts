import { afterAll, describe, expect, test } from "vitest";
import { demultiplex } from "../../apps/container/src/api/http/raw-stream.testing.ts";
import { removeContainers } from "../berth.testing.ts";
import { sharedBerth } from "../shared-berth.testing.ts";
import { type Expected, reportsOf, type Step } from "./bug-reports.testing.ts";
import { decisions } from "./decisions.testing.ts";
import { expectAnswer } from "./matching.testing.ts";
import { take } from "./steps.testing.ts";
import { openStream } from "./stream.testing.ts";

const berth = sharedBerth();
afterAll(() => removeContainers(berth));

async function takeAll(steps: readonly Step[], expected: readonly Expected[], id: string): Promise<void> {
  const saved = new Map<string, string>();
  for (const [index, step] of steps.entries()) {
    const answer = await take(berth, step, saved);
    const wanted = decisions[id]?.steps[index] ?? expected[index];
    if (wanted !== undefined) expectAnswer(answer, wanted, `step ${index}, ${step.req}`);
  }
}

describe("requests and their answers", () => {
  test.each(reportsOf("http"))("$id $source", async ({ id, input, expect: expected }) => {
    expect(input.steps).toHaveLength(expected.length);
    await takeAll(input.steps, expected, id);
  });
});

describe("streams", () => {
  test.each(reportsOf("stream"))("$id $source", async ({ id, input, expect: expected }) => {
    await takeAll(input.setup, expected.setup, id);
    const stream = openStream(berth, input.open);
    for (const action of input.actions) {
      if ("recvHeadersWithinMs" in action) expect(await stream.status()).toBe(expected.headers.status);
      else if ("call" in action) await take(berth, action.call, new Map());
      else if ("send" in action) stream.send(action.send);
      else if ("shutdownWrite" in action) stream.shutdownWrite();
      else if ("recvUntilEof" in action) expect(demultiplex([await stream.body()])).toEqual(expected.frames);
      else expectAnswer(await stream.answer(), expected.body ?? {}, input.open.req);
    }
    await takeAll(input.cleanup, [{ status: 204 }], id);
  });
});

describe("frames", () => {
  test.each(reportsOf("fn"))("$id $source", ({ input, expect: expected }) => {
    const streams = input.calls.map(([chunks]) => demultiplex(chunks.map((hex) => Buffer.from(hex, "hex"))));
    expect(streams).toEqual(expected);
  });
});
