import { appendFile, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Output, OutputChunk } from "../../../containers/records/runtime.ts";
import { LOG_START } from "./files.ts";
import { readLog } from "./reader.ts";
import { parseRecord, parseRecords, recordTime } from "./record.ts";
import { tailPosition } from "./tail.ts";
import { folderWatches } from "./watch.ts";

let dir: string;
let path: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "berth-log-"));
  path = join(dir, "log");
});
afterEach(() => rm(dir, { recursive: true }));

function recordOf(log: string, stream = "stdout") {
  return `${JSON.stringify({ log, stream, time: "2026-01-01T00:00:00.000000000Z" })}\n`;
}
function lines(from: number, to: number) {
  return Array.from({ length: to - from + 1 }, (_, index) => recordOf(`${from + index}\n`)).join("");
}
function rotate(sequence: number) {
  return rename(path, `${path}.${sequence}`);
}

async function textOf(output: Output) {
  let text = "";
  for await (const records of output) text += records.map(({ data }) => data).join("");
  return text;
}
function numbers(from: number, to: number) {
  return Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\n`).join("");
}

describe("readLog", () => {
  it("reads every file in the order they were written, and skips what is torn", async () => {
    await writeFile(`${path}.9`, lines(1, 3));
    await writeFile(`${path}.10`, `${lines(4, 5)}{"log":"to`);
    await writeFile(path, `\n${lines(6, 7)}nonsense\n${lines(8, 8)}{"log":"half`);
    expect(await textOf(readLog(path, LOG_START))).toBe(numbers(1, 8));
  });

  it("lets one reader go on in each round of the event loop, however many read greedily", async () => {
    // More than a block, and no reader may read ahead of its turn.
    await writeFile(path, lines(1, 4_000));
    let rounds = 0;
    let isOver = false;
    const count = (): void => {
      rounds += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const perRound = new Map<number, number>();
    const read = async () => {
      for await (const { length } of readLog(path, LOG_START))
        perRound.set(rounds, (perRound.get(rounds) ?? 0) + length);
    };
    await Promise.all(Array.from({ length: 20 }, read));
    isOver = true;
    const ofOneBlock = Math.ceil((1 << 17) / recordOf("1\n").length);
    expect([...perRound.values()].reduce((sum, records) => sum + records, 0)).toBe(80_000);
    expect(Math.max(...perRound.values())).toBeLessThanOrEqual(2 * ofOneBlock);
  });

  it("is empty where there is no log", async () => {
    expect(await textOf(readLog(path, LOG_START))).toBe("");
    expect(await tailPosition(path, 3)).toEqual(LOG_START);
  });

  it("follows through rotations until the log has ended", async () => {
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    await writeFile(path, lines(1, 2));
    const follow = { ended, watch: folderWatches()(dir) };
    const records = readLog(path, LOG_START, { follow });
    const next = async () => ((await records.next()).value ?? []).map(({ data }: OutputChunk) => String(data)).join("");
    expect(await next()).toBe("1\n2\n");
    const third = next();
    await appendFile(path, lines(3, 3));
    expect(await third).toBe("3\n");
    // Two rotations while the reader is away.
    await appendFile(path, lines(4, 4));
    await rotate(1);
    await writeFile(path, lines(5, 5));
    await rotate(2);
    await writeFile(path, lines(6, 6));
    expect(await next()).toBe("4\n");
    expect(await next()).toBe("5\n");
    expect(await next()).toBe("6\n");
    const last = next();
    await appendFile(path, lines(7, 7));
    end();
    expect(await last).toBe("7\n");
    expect(await records.next()).toEqual({ done: true, value: undefined });
  });

  it("ends when its signal aborts", async () => {
    const abort = new AbortController();
    const follow = { ended: new Promise<void>(() => {}), watch: folderWatches()(dir) };
    const text = textOf(readLog(path, LOG_START, { follow, signal: abort.signal }));
    abort.abort();
    expect(await text).toBe("");
  });
});

describe("tailPosition", () => {
  const tail = async (count: number) => textOf(readLog(path, await tailPosition(path, count)));

  it.each([0, 1, 2, 5, 6, 7, 9, 10, 11])("gives the last %i of ten lines in three files", async (count) => {
    await writeFile(`${path}.1`, lines(1, 3));
    await writeFile(`${path}.2`, lines(4, 5));
    await writeFile(path, lines(6, 10));
    expect(await tail(count)).toBe(numbers(Math.max(1, 11 - count), 10));
  });

  it("reads blocks as it needs them", async () => {
    await writeFile(path, lines(1, 20_000));
    expect(await tail(7000)).toBe(numbers(13_001, 20_000));
  });

  it("counts a line's parts as one, and a last part without a newline as a line", async () => {
    await writeFile(path, recordOf("a\n") + recordOf("b") + recordOf("c\n") + recordOf("d") + recordOf("$ "));
    expect(await tail(1)).toBe("d$ ");
    expect(await tail(2)).toBe("bc\nd$ ");
    expect(await tail(3)).toBe("a\nbc\nd$ ");
  });

  it("parts a line from what comes after it on the other stream", async () => {
    await writeFile(path, recordOf("a\n") + recordOf("out") + recordOf("err", "stderr"));
    expect(await tail(1)).toBe("err");
    expect(await tail(2)).toBe("outerr");
  });

  it("begins behind the last whole record", async () => {
    await writeFile(path, `${lines(1, 1)}{"log":"half`);
    const end = await tailPosition(path, 0);
    await writeFile(path, lines(1, 2));
    expect(await textOf(readLog(path, end))).toBe("2\n");
  });
});

describe("parseRecord", () => {
  const time = "2026-01-01T00:00:00.000000000Z";
  it.each([
    ["a line", `{"log":"a, {b}: c\\n","stream":"stdout","time":"${time}"}`, "a, {b}: c\n"],
    ["a part of a line", `{"log":"$ ","stream":"stdout","time":"${time}"}`, "$ "],
    ["an empty line", `{"log":"\\n","stream":"stdout","time":"${time}"}`, "\n"],
    ["escapes", `{"log":"\\"a\\tb\\\\n\\u001b\\n","stream":"stdout","time":"${time}"}`, '"a\tb\\n\u001b\n'],
    ["further fields", `{"log":"\ufffd","stream":"stdout","time":"${time}","bytes":"aGk="}`, "hi"],
    ["another order", `{"stream":"stdout","log":"a\\n","time":"${time}"}`, "a\n"],
    [
      "text that looks like a record",
      `{"log":"\\",\\"stream\\":\\"stderr\\n","stream":"stdout","time":"${time}"}`,
      '","stream":"stderr\n',
    ],
  ])("reads %s", (_, line, text) => {
    expect(parseRecord(line)).toEqual({ stream: "stdout", time, data: Buffer.from(text) });
  });
  it.each([
    "",
    "null",
    "{}",
    `{"log":"a","stream":"stdin","time":"${time}"}`,
    `{"log":"a","stream":"stdout","time":1}`,
    '{"log":"a',
  ])("leaves %s out", (line) => expect(parseRecord(line)).toBeUndefined());
});

describe("parseRecords", () => {
  const time = "2026-01-01T00:00:00.000000000Z";
  const long = "x".repeat(2000);
  const bytes = Buffer.from(Array.from({ length: 3000 }, (_, index) => index));
  it.each([
    ["bytes", `"log":"[3000 bytes of binary output]\\n","bytes":"${bytes.toString("base64")}"`, bytes],
    ["bytes beside text", `"log":"${long}\ufffd","bytes":"${bytes.toString("base64")}"`, bytes],
    ["text alone", `"log":"${long}\\n"`, Buffer.from(`${long}\n`)],
    ["text that looks like bytes", `"log":"${long}\\",\\"bytes\\":\\"aGk="`, Buffer.from(`${long}","bytes":"aGk=`)],
  ])("reads a long record of %s between short ones", (_, fields, data) => {
    const long = `{${fields},"stream":"stderr","time":"${time}"}\n`;
    const records = parseRecords(Buffer.from(`${lines(1, 2)}\n${long}torn\n${long}${lines(3, 3)}`));
    expect(records.map((record) => `${record.data}`)).toEqual(["1\n", "2\n", `${data}`, `${data}`, "3\n"]);
    expect(records[2]).toEqual({ stream: "stderr", time, data });
  });
});

describe("recordTime", () => {
  it.each([
    ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000000000Z"],
    ["2026-01-02T03:04:05.1234567891Z", "2026-01-02T03:04:05.123456789Z"],
    ["2026-01-02T03:04:05.5+02:00", "2026-01-02T01:04:05.500000000Z"],
  ])("%s is %s", (given, expected) => expect(recordTime(given)).toBe(expected));
});
