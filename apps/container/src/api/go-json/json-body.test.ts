import { describe, expect, it, vi } from "vitest";
import type { Actor } from "../../engine/actor.ts";
import { EngineError } from "../../engine/errors.ts";
import { goString, goStruct, or } from "./go-json.ts";
import { MAX_JSON_BYTES, readBody, readJson, requireJson } from "./json-body.ts";

const schema = goStruct("Body", { Name: or(goString, "") });

function request(body: string | Uint8Array, type: string | null = "application/json"): Request {
  return new Request("http://engine/", {
    method: "POST",
    body,
    ...(type === null ? {} : { headers: { "content-type": type } }),
  });
}

function from(kind: Actor["kind"], raw: Request) {
  return { req: { raw }, get: () => ({ kind, id: "1", login: "ann" }) as Actor };
}

function sent(...what: Parameters<typeof request>) {
  return from("user", request(...what));
}

async function failure(promise: Promise<unknown>): Promise<string> {
  const thrown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return thrown instanceof EngineError ? `${thrown.kind}: ${thrown.message}` : `no EngineError: ${String(thrown)}`;
}

describe("readJson", () => {
  it("accepts any content type parameter", async () => {
    expect(await readJson(sent('{"name":"x"}', "application/json; charset=utf-8"), schema)).toEqual({ Name: "x" });
  });

  it.each([
    ["blank body", "  ", "invalid: invalid JSON: EOF"],
    ["truncated", '{"Name":"x', "invalid: invalid JSON: unexpected EOF"],
    ["truncated object", '{"Name"', "invalid: invalid JSON: "],
    ["trailing text", '{"Name":"x"} y', "invalid: invalid JSON: unexpected content after JSON"],
    ["two values", "{}{}", "invalid: invalid JSON: unexpected content after JSON"],
    ["not JSON", "{a}", "invalid: invalid JSON: "],
    ["NUL in a text", '{"Name":"a\\u0000b"}', "invalid: invalid JSON: Name: a NUL byte is not allowed"],
    ["NUL in a key", '{"a\\u0000":1}', "invalid: invalid JSON: : a NUL byte"],
    [
      "half a pair in a text",
      '{"Name":"a\\ud800"}',
      "invalid: invalid JSON: Name: half a surrogate pair is not allowed",
    ],
    ["half a pair in a key", '{"\\udc00":1}', "invalid: invalid JSON: : half a surrogate pair"],
    ["100000 deep", `${"[".repeat(100_000)}${"]".repeat(100_000)}`, "invalid: invalid JSON: exceeded max depth"],
    ["100001 values", `[${"1,".repeat(100_000)}1]`, "invalid: invalid JSON: exceeded max number of 100000 values"],
    ["an array", "[]", "invalid: invalid JSON: json: cannot unmarshal array into Go value of type Body"],
  ])("rejects %s", async (_, text, message) => {
    expect(await failure(readJson(sent(text), schema))).toContain(message);
  });

  it("reads as many values of an administrator as fit into a body", async () => {
    const ports = Array.from({ length: 65_535 }, (_, at) => `${at + 1}`);
    const everyPort = JSON.stringify({
      Name: "x",
      ExposedPorts: Object.fromEntries(ports.map((port) => [`${port}/tcp`, {}])),
      PortBindings: Object.fromEntries(ports.map((port) => [`${port}/tcp`, [{ HostIp: "", HostPort: port }]])),
    });
    expect(await readJson(from("administrator", request(everyPort)), schema)).toEqual({ Name: "x" });
    expect(await failure(readJson(sent(everyPort), schema))).toContain("exceeded max number of 100000 values");
  });

  it("counts neither depth nor values within texts", async () => {
    for (const Name of ['[{"a": [,{'.repeat(50_000), `\\"${'\\",['.repeat(50_000)}`])
      expect(await readJson(sent(JSON.stringify({ Name })), schema)).toEqual({ Name });
  });

  it.each([0, 1, 2, 3, 62, 63, 64, 65, 200])("finds the end of a text behind %i characters", async (length) => {
    // Another end of the text would hide the values, or count the text's.
    const values = `[${"1,".repeat(100_000)}1]`;
    for (const end of ["", "\\", "\\\\", '"', '\\"', `"${values}`, `${"\\".repeat(100)}"`]) {
      const text = JSON.stringify(`${"x".repeat(length)}${end}`);
      expect(await readJson(sent(`{"Name":${text}}`), schema), end).toEqual({ Name: JSON.parse(text) });
      expect(await failure(readJson(sent(`{"Name":${text},"a":${values}}`), schema)), end).toContain("max number");
    }
  });

  it.each([
    [null, "unsupported Content-Type header (text/plain;charset=UTF-8): must be"],
    ["text/plain", "unsupported Content-Type header (text/plain): must be 'application/json'"],
  ])("rejects content type %s", async (type, message) => {
    expect(await failure(readJson(sent("{}", type), schema))).toContain(message);
  });

  it("rejects a body over the limit, declared or not", async () => {
    const large = new Uint8Array(MAX_JSON_BYTES + 1).fill(32);
    expect(await failure(readJson(sent(large), schema))).toContain("too-large");
  });

  it("reads an empty body as one without fields, unless it is required", async () => {
    const bodiless = () => new Request("http://engine/", { method: "POST" });
    expect(await readJson(from("user", bodiless()), schema)).toEqual({ Name: "" });
    expect(await failure(requireJson(from("user", bodiless()), schema))).toContain(
      "got EOF while reading request body",
    );
  });
});

it("rejects a body that does not arrive within a minute", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(Buffer.from("{")) });
    const reading = readBody({
      req: { raw: new Request("http://x", { method: "POST", body, duplex: "half" } as RequestInit) },
    });
    const rejected = expect(reading).rejects.toMatchObject({
      kind: "invalid",
      message: "the request body did not arrive within 60 seconds",
    });
    vi.advanceTimersByTime(60_000);
    await rejected;
  } finally {
    vi.useRealTimers();
  }
});
