import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { describeDirectory } from "../directory.testing.ts";
import { scimClient } from "./scim.testing.ts";

/** One request of an identity provider, as its documentation or its source describes it, and what it needs for an answer. */
interface Step {
  readonly title: string;
  /** Method and path; `{user}` stands for the id that an earlier step saved as `user`. */
  readonly request: string;
  readonly body?: object;
  readonly status: number;
  /** What the answer holds at least. */
  readonly answer?: object;
  readonly absent?: readonly string[];
  readonly save?: string;
}

interface Provider {
  readonly provider: string;
  readonly steps: readonly Step[];
}

const FOLDER = new URL("../../fixtures/scim/", import.meta.url);
const PROVIDERS = readdirSync(FOLDER).map(
  (file) => JSON.parse(readFileSync(new URL(file, FOLDER), "utf8")) as Provider,
);

describeDirectory("SCIM of identity providers", (directory) => {
  const { send } = scimClient(directory);

  test.each(PROVIDERS)("$provider provisions users and groups", async ({ steps }) => {
    const saved = new Map<string, string>();
    const filled = <T>(value: T): T =>
      JSON.parse(JSON.stringify(value).replaceAll(/\{(\w+)\}/g, (all, name: string) => saved.get(name) ?? all)) as T;
    for (const { title, request, body, status, answer, absent = [], save } of steps) {
      const [, method = "", path = ""] = /^(\S+) (.+)$/.exec(filled(request)) ?? [];
      const received = await send(method, encodeURI(path).replaceAll("#", "%23"), body && filled(body));
      expect(received.status, `${title}: ${received.text}`).toBe(status);
      if (answer !== undefined) expect(received.json, title).toMatchObject(filled(answer));
      for (const name of absent) expect(received.json, title).not.toHaveProperty(name);
      if (save !== undefined) saved.set(save, received.json.id);
    }
    expect(directory.faults).toEqual([]);
  });
});
