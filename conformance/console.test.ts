import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { codeOf } from "../apps/directory/src/sign-in/authenticator.testing.ts";
import { PUBLIC_CLIENT, startTestProvider, type TestProvider } from "../apps/directory/src/sign-in/provider.testing.ts";
import { createClient } from "../packages/service-kit/src/database.ts";
import { type BerthWithDirectory, startBerthWithDirectory } from "./berth.testing.ts";
import { openTab, signInAs, startBrowser, type Tab } from "./browser.testing.ts";
import { addTenant, askDirectory, type Tenant } from "./tenants/tenant.testing.ts";

const PASS = "a long password nobody guesses";
const MARKUP = "<img src=x onerror=alert(1)><b>Bold</b>";
/** A folder for pictures of each page; none are taken without it. */
const PICTURES = process.env.BERTH_PICTURES;

let provider: TestProvider;
let berth: BerthWithDirectory;
let browser: Browser;
let ann: Tenant;
/** The administrator's tab. */
let admin: Tab;

async function run(tenant: Tenant, name: string, port: string) {
  const PortBindings = { "80/tcp": [{ HostPort: port }] };
  const json = { Image: "busybox", Cmd: ["sleep", "600"], HostConfig: { PortBindings } };
  const made = await tenant.ask("POST", `/containers/create?name=${name}`, { json });
  if (made.status !== 201) return made;
  return await tenant.ask("POST", `/containers/${name}/start`);
}

/** Goes to a page by the console's own navigation, and takes its picture. */
async function visit({ page }: Tab, name: string): Promise<void> {
  await page.getByRole("navigation", { name: "Pages of the console" }).getByRole("link", { name }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

async function picture({ page }: Tab, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  await page.getByText("Loading…").waitFor({ state: "detached" });
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

beforeAll(async () => {
  if (PICTURES !== undefined) mkdirSync(PICTURES, { recursive: true });
  provider = await startTestProvider();
  const sso = {
    BERTH_OIDC_ISSUER: provider.issuer.origin,
    BERTH_OIDC_CLIENT_ID: PUBLIC_CLIENT,
    BERTH_OIDC_NAME: "Example",
  };
  [berth, browser] = await Promise.all([startBerthWithDirectory(undefined, sso), startBrowser()]);
  provider.serve(berth.directoryUrl);
  await askDirectory(berth, "PATCH", "/users/1", { pass: PASS });
  ann = await addTenant(berth, "ann");
  await askDirectory(berth, "PATCH", `/users/${ann.id}`, { name: MARKUP });
  const members = Array.from({ length: 60 }, (_, n) => JSON.stringify({ login: `member${n}`, email: null }));
  const imported = await fetch(`${berth.directoryUrl}/api/import/users`, {
    method: "POST",
    headers: { authorization: `Bearer ${berth.adminToken}`, "content-type": "application/x-ndjson" },
    body: members.join("\n"),
  });
  expect(imported.status).toBe(200);
  const { id } = await askDirectory(berth, "POST", "/groups", { name: "web team" });
  await askDirectory(berth, "PUT", `/groups/${id}/members/${ann.id}`);
  await askDirectory(berth, "POST", `/groups/${id}/constraints`, { kind: "quota", resource: "containers", max: 2 });
  admin = await openTab(browser, berth.directoryUrl);
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await berth?.close();
  await provider?.close();
});

it("is small, and loads from its own host alone under a strict policy", async () => {
  const folder = join(import.meta.dirname, "../apps/console/dist/site/assets");
  const bytes = readdirSync(folder).map((name) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length);
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(200_000);
  const answer = await fetch(`${berth.directoryUrl}/users/1`);
  const policy = answer.headers.get("content-security-policy") ?? "";
  expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-cache"]);
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  expect(policy).not.toContain("unsafe");
  expect((await fetch(`${berth.directoryUrl}/nothing`)).status).toBe(404);
  expect((await fetch(`${berth.directoryUrl}/api/reference`)).status).toBe(200);
});

it("signs in with the right password alone", async () => {
  const { page } = admin;
  await page.goto("/users");
  await page.getByLabel("Login or e-mail").fill("admin");
  await page.getByLabel("Password").fill("a wrong password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").waitFor();
  await picture(admin, "sign-in");
  await page.getByLabel("Password").fill(PASS);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Users" }).waitFor();
  expect(await page.evaluate("document.cookie")).toBe("");
});

it("lists, searches and pages users, and shows markup in names as text", async () => {
  const { page } = admin;
  await page.getByRole("cell", { name: MARKUP }).waitFor();
  expect(await page.locator("table img, table b").count()).toBe(0);
  await page.getByText("1–50 of 6").waitFor();
  await picture(admin, "users");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("51–6").waitFor();
  await page.getByLabel("Search").fill("member5");
  await page.getByRole("cell", { name: "member59" }).waitFor();
  await expect.poll(() => page.getByRole("cell", { name: /^member/ }).count()).toBe(11);
  await page.getByLabel("Search").fill("zzz");
  await page.getByText("No user matches.").waitFor();
});

it("adds, changes, disables and removes a user", async () => {
  const { page } = admin;
  await page.getByRole("button", { name: "Add a user" }).click();
  await page.getByLabel("Login").fill("admin");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("alert").waitFor();
  await page.getByLabel("Login").fill("bob");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "bob" }).waitFor();
  await page.getByRole("tab", { name: "Groups" }).click();
  await page.getByLabel("Add to a group").fill("web team");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("link", { name: "web team" }).waitFor();
  await page.getByRole("tab", { name: "Limits" }).click();
  await page.getByText("2 containers").waitFor();
  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByRole("button", { name: "Enable" }).waitFor();
  await page.getByText("This user is disabled").waitFor();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await page.getByRole("heading", { level: 1, name: "Users" }).waitFor();
});

it("makes a constraint that the engine enforces, and tells why it refuses", async () => {
  const { page } = admin;
  await page.getByLabel("Search").fill("ann");
  await page.getByRole("link", { name: "ann", exact: true }).click();
  await page.getByRole("tab", { name: "Own constraints" }).click();
  await page.getByRole("button", { name: "Add a constraint" }).click();
  await page.getByLabel("Ports", { exact: true }).fill("8000-8099\nnot a port");
  await page.getByText("not a port is no port").waitFor();
  await page.getByLabel("Ports", { exact: true }).fill("28000-28099");
  await page.getByLabel("Note").fill("ports of the course");
  await picture(admin, "constraint");
  await page.getByRole("dialog").getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("cell", { name: "28000–28099" }).waitFor();
  await expect.poll(async () => (await run(ann, "web", "29000")).status).toBe(403);
  expect((await run(ann, "web", "28010")).status).toBe(204);
  await page.getByRole("tab", { name: "Limits" }).click();
  await page.getByRole("row", { name: /Host ports.*28000–28099.*this user/ }).waitFor();
  await page.getByRole("row", { name: /Quotas.*2 containers.*web team/ }).waitFor();
  await picture(admin, "user");

  const PortBindings = { "80/tcp": [{ HostPort: "28010" }] };
  const asked = await ann.ask("POST", "/berth/explain", { json: { Image: "busybox", HostConfig: { PortBindings } } });
  expect(asked.json).toMatchObject({ decision: "allow", conflict: expect.stringContaining("by container web") });

  await visit(admin, "Why not?");
  await page.getByLabel("As which user").fill("ann");
  await page.getByLabel("A docker run line").fill("docker run -d -p 29000:80 --privileged nginx");
  await page.getByRole("button", { name: "Decide" }).click();
  await page.getByText("ann may not run this.").waitFor();
  await page.getByRole("row", { name: /Refused 29000\/tcp.*28000–28099, from this user.*28000-28099\/tcp/ }).waitFor();
  await picture(admin, "why-not");
  await page.getByLabel("A docker run line").fill("services:\n  web:\n    image: nginx\n    ports: ['28020:80']\n");
  await page.getByRole("button", { name: "Decide" }).click();
  await page.getByText("ann may run this.").waitFor();
});

it("shows who holds a port, what runs, and who did what", async () => {
  const { page } = admin;
  await visit(admin, "Ports");
  const [held] = [page.getByRole("row", { name: /28010\/tcp.*Held web \(ann\)/ })];
  await held.first().waitFor();
  await page
    .getByRole("textbox", { name: "User" })
    .or(page.getByRole("combobox", { name: "User" }))
    .fill("ann");
  await page.getByRole("button", { name: "Show" }).click();
  await page.getByText("ann: 28000–28009, 28011–28099").waitFor();
  await picture(admin, "ports");
  await page.getByLabel("Search").fill("9");
  await page.getByText("No container and no other program holds port 9").waitFor();
  // The directory itself.
  await page.getByLabel("Search").fill(new URL(berth.directoryUrl).port);
  await page.getByRole("row", { name: /127\.0\.0\.1 Program process \S+ \(\d+\)/ }).waitFor();
  await picture(admin, "program");
  await visit(admin, "Overview");
  await page.getByRole("row", { name: /web running busybox ann/ }).waitFor();
  await page
    .getByRole("row", { name: /ann.*container.create.*outside the limit/ })
    .first()
    .waitFor();
  await page.getByRole("row", { name: /ann \d+ container.create denied by policy/ }).waitFor();
  await picture(admin, "overview");
  await page.getByRole("link", { name: "Activity of web" }).click();
  await page.getByRole("row", { name: /ann container.start container web/ }).waitFor();
  await page.getByLabel("Outcome").selectOption("refused");
  await page.getByText("Nothing matches.").waitFor();
  await page.getByLabel("Container").fill("");
  await page.getByRole("button", { name: "Filter" }).click();
  await page
    .getByRole("row", { name: /ann container.create.*refused/ })
    .first()
    .waitFor();
  await picture(admin, "activity");
});

it("shows what somebody else changed meanwhile, and lets one choose", async () => {
  const { page } = admin;
  await page.goto(`/users/${ann.id}`);
  await page.getByRole("tab", { name: "Details" }).click();
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Name").fill("Ann Lee");
  await askDirectory(berth, "PATCH", `/users/${ann.id}`, { name: "Ann Other" });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("row", { name: "Name Ann Other Ann Lee" }).waitFor();
  await picture(admin, "stale");
  await page.getByRole("button", { name: "Save mine" }).click();
  await page.getByRole("button", { name: "Edit" }).waitFor();
  expect((await askDirectory(berth, "GET", `/users/${ann.id}`)).name).toBe("Ann Lee");
});

it("shows a user its own things, and no others", async () => {
  const tab = await openTab(browser, berth.directoryUrl, { width: 360, height: 740, isDark: true });
  const { page, faults } = tab;
  await signInAs(tab, "ann", PASS);
  await page.getByRole("row", { name: /web running/ }).waitFor();
  await picture(tab, "own-overview");
  const widths: Record<string, unknown> = {};
  for (const name of ["Ports", "My limits", "Why not?", "Activity", "Overview"]) {
    await page.getByRole("link", { name, exact: true }).click();
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.getByText("Loading…").waitFor({ state: "detached" });
    widths[name] = await page.evaluate("document.documentElement.scrollWidth");
    await picture(tab, `own-${name.toLowerCase().replaceAll(/\W+/g, "-")}`);
  }
  expect(Object.values(widths)).toEqual(Array(5).fill(360));
  for (const path of ["/users", "/groups"]) {
    await page.goto(path);
    await page.getByText("There is no page at this address, or it is not for you.").waitFor();
  }
  await page.goto("/users/1");
  await page.getByText("There is no user 1.").waitFor();
  const { id: foreign } = await askDirectory(berth, "POST", "/groups", { name: "not ann's" });
  await page.goto(`/groups/${foreign}`);
  await page.getByText(`There is no group ${foreign}.`).waitFor();
  await page.goto("/account");
  await page.getByRole("button", { name: "Make a token" }).click();
  await page.getByLabel("What for").fill("laptop");
  await page.getByRole("button", { name: "Make", exact: true }).click();
  const token = await page.getByText(/^bth_/).textContent();
  expect((await fetch(`${berth.directoryUrl}/api/me`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(
    200,
  );
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("cell", { name: "laptop", exact: true }).waitFor();
  expect(faults).toEqual([]);
  await tab.close();
});

it("signs in at a provider, says why not, and signs a command in", async () => {
  const tab = await openTab(browser, berth.directoryUrl);
  const { page } = tab;
  const begun = await fetch(`${berth.directoryUrl}/api/device-logins`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ label: "ann@laptop" }),
  });
  const { path, deviceCode } = (await begun.json()) as { path: string; deviceCode: string };
  await page.goto(path);
  await page.getByRole("link", { name: "Sign in with Example" }).click();
  await page.getByText("Example did not let you in, or you cancelled.").waitFor();
  await picture(tab, "sso-refused");
  provider.people.set("s-1", { email: `ann@example.com`, email_verified: true });
  provider.current = "s-1";
  await page.goto(path);
  await page.getByRole("link", { name: "Sign in with Example" }).click();
  await page.getByText("ann@laptop").waitFor();
  await picture(tab, "device");
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("The command is signed in.").waitFor();
  const answer = await fetch(`${berth.directoryUrl}/api/device-logins/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ deviceCode }),
  });
  expect(((await answer.json()) as { user: { login: string } }).user.login).toBe("ann");
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("link", { name: "Sign out of Example too" }).waitFor();
  await picture(tab, "signed-out");
  await tab.close();
});

/** Sets a second factor up on the page that shows the way, and returns the secret and the recovery codes. */
async function setUpFactor(tab: Tab, name: string) {
  const { page } = tab;
  await page.getByLabel("Your password").fill("not the password");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").waitFor();
  await page.getByLabel("Your password").fill(PASS);
  await page.keyboard.press("Enter");
  await page.getByRole("img", { name: "QR code" }).waitFor();
  const secret = (await page.locator(".secret").textContent()) ?? "";
  await picture(tab, `${name}-set-up`);
  await page.getByLabel("Code", { exact: true }).fill("12345");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").waitFor();
  await page.getByLabel("Code", { exact: true }).fill(codeOf(secret, new Date()));
  await page.keyboard.press("Enter");
  const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await codes.first().waitFor();
  await picture(tab, `${name}-codes`);
  const recoveryCodes = await codes.allTextContents();
  expect(recoveryCodes).toHaveLength(10);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(page.viewportSize()?.width);
  await page.getByRole("button", { name: "I have kept them" }).press("Enter");
  return { secret, recoveryCodes };
}

it("sets a second factor up, asks for its codes, and lets an administrator take it away", async () => {
  const tab = await openTab(browser, berth.directoryUrl, { width: 360, height: 740, isDark: true });
  const { page, faults } = tab;
  await signInAs(tab, "ann", PASS);
  await page.goto("/account");
  await page.getByRole("button", { name: "Set up" }).press("Enter");
  const { secret, recoveryCodes } = await setUpFactor(tab, "second-factor");
  await page.getByText("You have 10 recovery codes left.").waitFor();
  await picture(tab, "second-factor");

  const signInWith = async (code: string) => {
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Login or e-mail").fill("ann");
    await page.getByLabel("Password").fill(PASS);
    await page.keyboard.press("Enter");
    await page.getByLabel("Code", { exact: true }).waitFor();
    // The field has the focus.
    await page.keyboard.type("000000");
    await page.keyboard.press("Enter");
    await page.getByText("The code is wrong, or was used already.").waitFor();
    await picture(tab, "sign-in-code");
    await page.keyboard.type(code);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Your account" }).waitFor();
  };
  // The code of now is used up; an app that is half a minute ahead shows the next one.
  await signInWith(codeOf(secret, new Date(), 1));
  await signInWith(recoveryCodes[0] ?? "");
  await page.getByText("You have 9 recovery codes left.").waitFor();
  await page.getByRole("button", { name: "New recovery codes" }).click();
  await page.getByLabel("Code", { exact: true }).fill(recoveryCodes[1] ?? "");
  await page.keyboard.press("Enter");
  await page.getByRole("list", { name: "Recovery codes" }).waitFor();
  await page.getByRole("button", { name: "I have kept them" }).click();
  await page.getByText("You have 10 recovery codes left.").waitFor();

  await admin.page.goto(`/users/${ann.id}`);
  await admin.page.getByRole("tab", { name: "Details" }).click();
  await admin.page.getByRole("button", { name: "Reset the second factor of ann" }).click();
  await picture(admin, "reset-second-factor");
  await admin.page.getByRole("alertdialog").getByRole("button", { name: "Reset" }).click();
  await admin.page
    .getByRole("definition")
    .filter({ hasText: /^none$/ })
    .waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await signInAs(tab, "ann", PASS);
  expect(faults).toEqual([]);
  await tab.close();
});

it("lists, searches and walks 100,000 users from both ends", async () => {
  // Straight into the tables: what is looked at is the list.
  const sql = createClient(
    `postgres://postgres@${encodeURIComponent(join(String(berth.env.BERTH_RUN), "postgres"))}/berth`,
    { max: 1 },
  );
  await sql.begin((tx) => [
    tx`set local session_replication_role = replica`,
    tx`insert into directory.users (login, login_key, email, email_key)
      select 'user' || n, 'user' || n, 'user' || n || '@example.test', 'user' || n || '@example.test'
      from generate_series(100001, 200000) n`,
  ]);
  await sql`analyze directory.users`;
  await sql.end();
  const { page, faults } = admin;
  await page.goto("/users");
  await page.getByText(/^1–50 of 100,06\d$/).waitFor();
  await picture(admin, "many-users");
  for (const first of [51, 101, 151]) {
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText(new RegExp(`^${first}–${first + 49} of 100,06`)).waitFor();
  }
  await page
    .getByRole("cell", { name: /^user1/ })
    .first()
    .waitFor();
  await page.getByLabel("Search").fill("USER1777");
  await page.getByRole("heading", { name: "100 users" }).waitFor();
  expect(await page.getByRole("cell", { name: /^user1777\d\d$/ }).count()).toBe(50);
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("51–100 of 100").waitFor();
  await page.getByRole("cell", { name: "user177799", exact: true }).waitFor();
  expect(await page.getByRole("button", { name: "Next" }).isDisabled()).toBe(true);
  await page.getByLabel("Search").fill("");
  await page.getByLabel("Order").selectOption("Z to A");
  await page.getByRole("cell", { name: "user200000", exact: true }).waitFor();
  await page.getByText(/^1–50 of 100,06\d$/).waitFor();
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  await picture(admin, "many-users-phone");
  await page.setViewportSize({ width: 1280, height: 860 });
  expect(faults).toEqual([]);
});

it("says when the directory is away, and goes on when it is back", async () => {
  const { page } = admin;
  // The list as one finds it, not as it was left.
  await visit(admin, "Groups");
  await visit(admin, "Users");
  await page.getByRole("cell", { name: "admin", exact: true }).first().waitFor();
  await berth.directory.end("SIGTERM");
  // What is known already stays, and what is not says why.
  const outOfDate = page.getByText("What you see may be out of date.");
  await expect
    .poll(async () => {
      await visit(admin, "Groups");
      await visit(admin, "Users");
      return await outOfDate.count();
    })
    .toBe(1);
  await page.getByRole("cell", { name: "admin", exact: true }).first().waitFor();
  await picture(admin, "out-of-date");
  await visit(admin, "Activity");
  await page.getByText("The directory is away").waitFor();
  await picture(admin, "away");
  // From now on administrators need a second factor, at their next sign-in.
  await berth.directory.start({ BERTH_SECOND_FACTOR: "administrators" });
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("table").waitFor();
  await visit(admin, "Users");
  await outOfDate.waitFor({ state: "detached" });
  await page.getByRole("cell", { name: "Ann Lee" }).waitFor();
});

it("asks to sign in again where the session was revoked, and signs out", async () => {
  const { page, faults } = admin;
  for (const { id } of await askDirectory(berth, "GET", "/tokens?userId=1")) {
    const isOwn = (await askDirectory(berth, "GET", "/me")).tokenId === id;
    if (!isOwn) await askDirectory(berth, "DELETE", `/tokens/${id}`);
  }
  await page.getByRole("link", { name: "Groups" }).click();
  await page.getByText("Your session has ended.").waitFor();
  expect(await page.getByRole("table").count()).toBe(0);
  await page.getByLabel("Login or e-mail").fill("admin");
  await page.getByLabel("Password").fill(PASS);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Set up a second factor" }).waitFor();
  await setUpFactor(admin, "required-factor");
  await page.getByRole("heading", { level: 1, name: "Groups" }).waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Login or e-mail").waitFor();
  expect(faults).toEqual([]);
});
