import { expect } from "vitest";
import type { Answer } from "../../scripts/ask.mjs";
import type { Expected } from "./bug-reports.testing.ts";

/** Fails unless the answer is as expected; `where` goes into the failure. */
export function expectAnswer(answer: Answer, wanted: Expected, where: string): void {
  const said = answer.json?.message ?? answer.text;
  const shown = `${where}: ${answer.status} ${answer.text.slice(0, 400)}`;
  if (wanted.status !== undefined) expect([wanted.status].flat(), shown).toContain(answer.status);
  if (wanted.contains !== undefined) expect(said, shown).toContain(wanted.contains);
  if (wanted.match !== undefined) expect(said, shown).toMatch(new RegExp(wanted.match));
  if (wanted.text !== undefined) expect(answer.text, shown).toBe(wanted.text);
  if (wanted.hex !== undefined) expect(Buffer.from(answer.text).toString("hex"), shown).toBe(wanted.hex);
  if (wanted.len !== undefined) expect(answer.json, shown).toHaveLength(wanted.len);
  if (wanted.tarFirst !== undefined)
    expect(answer.text.slice(0, answer.text.indexOf("\0")), shown).toBe(wanted.tarFirst);
  for (const [name, value] of Object.entries(wanted.headers ?? {}))
    expect(answer.headers[name.toLowerCase()], `${shown}: header ${name}`).toBe(value);
  for (const [key, value] of Object.entries(wanted.json ?? {})) expect(answer.json?.[key], shown).toEqual(value);
  for (const [pointer, value] of Object.entries(wanted.at ?? {}))
    expect(withoutIpv6(at(answer.json, pointer)), `${shown}: ${pointer}`).toEqual(pattern(value));
}

/** The value of a JSON pointer. */
export function at(value: unknown, pointer: string): unknown {
  const names = pointer.split("/").slice(1);
  return names.reduce<unknown>(
    (inner, name) => (inner as Record<string, unknown> | undefined)?.[name.replaceAll("~1", "/").replaceAll("~0", "~")],
    value,
  );
}

/** A host with IPv6 adds an entry for `::` beside each one for `0.0.0.0`. */
function withoutIpv6(value: unknown): unknown {
  if (Array.isArray(value))
    return value.filter((entry) => entry?.HostIp !== "::" && entry?.IP !== "::").map(withoutIpv6);
  return isObject(value) ? mapped(value, withoutIpv6) : value;
}

/** The value with `$port:LOW-HIGH` and `$in:A,B` as what they stand for. */
function pattern(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pattern);
  if (isObject(value)) return mapped(value, pattern);
  if (typeof value !== "string") return value;
  const [, low, high] = /^\$port:(\d+)-(\d+)$/.exec(value) ?? [];
  if (low !== undefined)
    return expect.toSatisfy((port) => /^\d+$/.test(port) && +port >= +low && +port <= Number(high));
  const [, list] = /^\$in:(.*)$/.exec(value) ?? [];
  if (list !== undefined) return expect.toSatisfy((one) => list.split(",").includes(String(one)));
  return value;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
function mapped(value: object, change: (inner: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner)]));
}
