import { expect, it } from "vitest";
import { BuildQueue } from "./queue.ts";

const NEVER = new AbortController().signal;

/** A queue whose work ends when the test says so. */
function queueOf(running: number) {
  const queue = new BuildQueue({ running, perOwner: 2 });
  const log: string[] = [];
  const begin = (owner: string, name: string, signal = NEVER) => {
    let end = (): void => {};
    const done = queue.run(owner, signal, async () => {
      log.push(name);
      await new Promise<void>((resolve) => {
        end = resolve;
      });
    });
    return { done, end: () => end() };
  };
  return { queue, log, begin };
}

it("runs one build of an owner at a time, and those of others beside it", async () => {
  const { log, begin } = queueOf(2);
  const first = begin("ann", "ann 1");
  const second = begin("ann", "ann 2");
  const other = begin("bob", "bob 1");
  await Promise.resolve();
  expect(log).toEqual(["ann 1", "bob 1"]);
  first.end();
  await first.done;
  await Promise.resolve();
  expect(log).toEqual(["ann 1", "bob 1", "ann 2"]);
  for (const build of [second, other]) {
    build.end();
    await build.done;
  }
});

it("runs no more at once than it may", async () => {
  const { log, begin } = queueOf(1);
  const first = begin("ann", "ann");
  const second = begin("bob", "bob");
  await Promise.resolve();
  expect(log).toEqual(["ann"]);
  first.end();
  await first.done;
  await Promise.resolve();
  expect(log).toEqual(["ann", "bob"]);
  second.end();
  await second.done;
});

it("lets a build go that is called off while it waits", async () => {
  const { log, begin } = queueOf(1);
  const first = begin("ann", "ann");
  const gone = new AbortController();
  const second = begin("bob", "bob", gone.signal);
  const third = begin("cid", "cid");
  gone.abort(new Error("the client left"));
  await expect(second.done).rejects.toThrow("the client left");
  first.end();
  await first.done;
  third.end();
  await third.done;
  expect(log).toEqual(["ann", "cid"]);
});

it("takes only so many builds of one owner", () => {
  const { queue } = queueOf(1);
  const giveBack = queue.reserve("ann");
  queue.reserve("ann");
  queue.reserve("bob");
  expect(() => queue.reserve("ann")).toThrow("2 builds of yours wait or run already");
  giveBack();
  queue.reserve("ann");
});
