import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PortSpec, parsePortSpec, toEngine } from "../src/index.ts";
import { type RecordedCli, startRecordedCli } from "./docker-cli.testing.ts";
import { portSpecText } from "./port-spec-text.testing.ts";

// The script `differential` asks for 10,000; a run of all tests takes fewer.
const count = Number(process.env.PORT_SPECS ?? 300);
const seed = Number(process.env.SEED ?? 20_260_101);
const BATCH_SIZE = 100;

let cli: RecordedCli;
beforeAll(async () => {
  cli = await startRecordedCli();
});
afterAll(() => cli.close());

test(`${count} generated specs mean to us what they mean to the docker CLI`, {
  timeout: 120_000 + count * 100,
}, async () => {
  const texts = fc.sample(portSpecText(), { numRuns: count, seed });
  const accepted: Accepted[] = [];
  const differences: string[] = [];
  const tally = { accepted: 0, refused: 0, decided: 0 };
  for (const text of texts) {
    const spec = parsePortSpec(text);
    if (spec.ok) {
      accepted.push({ text, spec: spec.value });
      continue;
    }
    const theirs = await cli.create([text]);
    const agrees = "refusal" in theirs && (isOld() || theirs.refusal === `docker: ${spec.error.message}`);
    if (agrees) tally.refused++;
    else if (isDecided(text) || (isOld() && hasOddField(text))) tally.decided++;
    else differences.push(`${JSON.stringify(text)}: ${spec.error.message}, but ${JSON.stringify(theirs)}`);
  }
  for (let at = 0; at < accepted.length; at += BATCH_SIZE) {
    differences.push(...(await differencesIn(accepted.slice(at, at + BATCH_SIZE))));
  }
  tally.accepted = accepted.length;
  console.info(`${texts.length} specs with seed ${seed}:`, tally, `${differences.length} differences`);
  expect(differences).toEqual([]);
});

interface Accepted {
  readonly text: string;
  readonly spec: PortSpec;
}

/** One call carries many specs; where its body differs from ours, halves find the spec to blame. */
async function differencesIn(batch: readonly Accepted[]): Promise<readonly string[]> {
  const theirs = await cli.create(batch.map(({ text }) => text));
  const ours = toEngine(batch.map(({ spec }) => spec));
  if ("ports" in theirs && isDeepStrictEqual(theirs.ports, ours)) return [];
  if (isOld() && batch.every(({ text }) => isBareIpv6(text))) return [];
  const [only] = batch;
  if (batch.length === 1 && only)
    return [`${JSON.stringify(only.text)}: ${JSON.stringify(ours)}, but ${JSON.stringify(theirs)}`];
  const middle = batch.length >> 1;
  return [...(await differencesIn(batch.slice(0, middle))), ...(await differencesIn(batch.slice(middle)))];
}

/** Before 28 the CLI refused in other words, knew no IPv6 address without brackets, and passed over `=80` and `a=b=c` in a long form. */
function isOld(): boolean {
  return cli.major < 28;
}

function hasOddField(text: string): boolean {
  return /(^|,)=|=[^,]*=/.test(text);
}

function isBareIpv6(text: string): boolean {
  return !text.includes("[") && text.split(":").length > 3;
}

/**
 * The forms that the CLI takes and we refuse by decision: container port 0, a host range from 0, a second `-` or `/`. Where
 * such a text has a second fault, both refuse it, in other words.
 */
function isDecided(text: string): boolean {
  const containerZero = /(^|[:=])0+(-\d*)?(\/|,|$)/;
  const hostRangeFromZero = /(^|[:=])0+-\d+/;
  const secondDash = /\d-\d+-/;
  // The long form brings a slash of its own.
  const secondSlash = /\/[^/]*\/|target=[^,]*\//;
  return [containerZero, hostRangeFromZero, secondDash, secondSlash].some((form) => form.test(text));
}
