import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { commandOn } from "./berth.testing.ts";
import { describeDirectory } from "./directory.testing.ts";

const DOCKER_CONFIG = mkdtempSync(join(tmpdir(), "berth-login-"));
afterAll(() => rmSync(DOCKER_CONFIG, { recursive: true }));
const FILE = join(DOCKER_CONFIG, "config.json");
const env = { DOCKER_CONFIG, USER: "ann" };

describeDirectory("berth login", (directory) => {
  const berth = commandOn(directory);

  /** What the user does with the code that the command shows. */
  const answering = (token: string, answer: "approve" | "decline") => async (told: string) => {
    const [, code] = /approve the code (\S+)\.\n/.exec(told) ?? [];
    expect(told).toContain(`Open http://directory.test/device?code=${code}\n`);
    await directory.send("PUT", `/api/device-logins/${code}`, { token, json: { answer } });
  };

  test("waits for the user, and writes the token where docker finds it, until logout", async () => {
    const ann = await directory.addUser("ann");
    const { code, out } = await berth(["login"], { env, pause: answering(ann.token, "approve") });
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^You are ann, until \d{4}-\d\d-\d\d\. /) });
    const { Authorization } = JSON.parse(readFileSync(FILE, "utf8")).HttpHeaders;
    const token = /^Bearer (\S+)$/.exec(Authorization)?.[1] ?? "";
    expect((await directory.send("GET", "/api/me", { token })).json.login).toBe("ann");
    const labels = (await directory.send("GET", "/api/tokens", { token })).json.map(
      ({ label }: { label: string }) => label,
    );
    expect(labels).toContain("berth login on ann@laptop");
    expect((await berth(["logout"], { env })).out).toBe("You are signed out.\n");
    expect((await directory.send("GET", "/api/me", { token })).status).toBe(401);
    expect(readFileSync(FILE, "utf8")).toBe("{}\n");
    expect(await berth(["logout"], { env })).toMatchObject({
      code: 1,
      err: expect.stringContaining("nobody is signed in"),
    });
  });

  test("says that the user declined, and writes nothing", async () => {
    const declined = await berth(["login"], { env, pause: answering(directory.admin, "decline") });
    expect(declined).toMatchObject({ code: 1, err: expect.stringContaining("The sign-in was declined.") });
    expect(readFileSync(FILE, "utf8")).toBe("{}\n");
  });
});
