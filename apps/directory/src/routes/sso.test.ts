import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { describeDirectory, type Received, type TestDirectory } from "../directory.testing.ts";
import { createSealer } from "../http/sealed.ts";
import { OpenIdProvider } from "../sign-in/openid-provider.ts";
import { CLIENT, type Person, startTestProvider, type TestProvider } from "../sign-in/provider.testing.ts";
import type { NewPeople, PendingSignIn } from "../sign-in/sso.ts";

const ORIGIN = "http://directory.test";
const ANN: Person = { preferred_username: "ann", email: "ann@example.test", email_verified: true, name: "Ann Lee" };

let provider: TestProvider;
beforeAll(async () => {
  provider = await startTestProvider();
  provider.serve(ORIGIN);
});
afterAll(() => provider.close());

/** Lets people sign in at the provider. */
function offer(directory: TestDirectory, newPeople: NewPeople, settings: object = {}): void {
  const fixed = { issuer: provider.issuer, ...CLIENT, scope: "openid profile email groups" };
  const claims = { loginClaim: "preferred_username", groupsClaim: "groups" };
  directory.sso = { provider: new OpenIdProvider({ ...fixed, ...claims, ...settings }), name: "Example", newPeople };
  directory.restart();
}

function cookieOf(answer: Received, name: string): string | undefined {
  const set = answer.headers.getSetCookie().find((one) => one.startsWith(`${name}=`));
  return set === undefined ? undefined : /^[^=]+=([^;]*)/.exec(set)?.[1];
}

function start(directory: TestDirectory, path = "/api/sso/start"): Promise<Received> {
  return directory.send("GET", path, { token: null });
}

/** Comes back from the provider. */
function back(directory: TestDirectory, url: URL, pending: string | undefined): Promise<Received> {
  const headers: Record<string, string> = pending === undefined ? {} : { cookie: `berth_sso=${pending}` };
  return directory.send("GET", `${url.pathname}${url.search}`, { token: null, headers });
}

/** Signs in whom the provider has, as a browser does. */
async function signIn(directory: TestDirectory, subject: string | undefined, person: Person = ANN) {
  if (subject !== undefined) provider.people.set(subject, person);
  provider.current = subject;
  const begun = await start(directory);
  const url = await provider.visit(begun.headers.get("location") ?? "");
  const answer = await back(directory, url, cookieOf(begun, "berth_sso"));
  const session = cookieOf(answer, "berth_session");
  const headers = { cookie: `berth_session=${session}` };
  const me =
    session === undefined ? undefined : (await directory.send("GET", "/api/me", { token: null, headers })).json;
  return { to: answer.headers.get("location"), me, answer };
}

describeDirectory("sign-in at a provider", (directory) => {
  beforeEach(() => offer(directory, "refuse"));

  test("is offered by name, with the page to sign out on", async () => {
    const { json } = await directory.send("GET", "/api/sign-in", { token: null });
    expect(json.sso).toMatchObject({ name: "Example", path: "/api/sso/start" });
    expect(json.sso.signOutUrl).toContain(`${provider.issuer.origin}/session/end`);
    directory.sso = undefined;
    directory.restart();
    expect((await directory.send("GET", "/api/sign-in", { token: null })).json).toEqual({ sso: null });
    expect((await start(directory)).headers.get("location")).toBe("/?sign-in=off");
  });

  test("makes a user of a new person, and knows it again by what never changes", async () => {
    offer(directory, "create");
    const first = await signIn(directory, "s-1");
    expect(first).toMatchObject({ to: "/", me: { login: "ann", name: "Ann Lee", email: "ann@example.test" } });
    expect(first.me).toMatchObject({ role: "user", scopes: ["read", "write", "engine"] });
    const renamed = { ...ANN, preferred_username: "ann.lee", email: "lee@example.test" };
    expect((await signIn(directory, "s-1", renamed)).me).toMatchObject({ id: first.me.id, login: "ann" });
    const { json } = await directory.send("GET", `/api/users/${first.me.id}/identities`);
    expect(json).toMatchObject([{ issuer: provider.issuer.origin, subject: "s-1" }]);
    const audit = (await directory.send("GET", `/api/audit?target=user/${first.me.id}&action=identity.link`)).json;
    expect(audit).toHaveLength(1);
  });

  test("signs in the user with the verified address, and no other", async () => {
    const { id } = await directory.addUser("boss", { email: "ann@example.test", role: "operator" });
    expect((await signIn(directory, "s-2", { ...ANN, email_verified: false })).to).toBe("/?sign-in=unknown");
    const { email_verified: _, ...silent } = ANN;
    expect((await signIn(directory, "s-3", silent)).to).toBe("/?sign-in=unknown");
    expect((await signIn(directory, "s-4")).me).toMatchObject({ id, login: "boss", role: "operator" });
    // The address now belongs to somebody else at the provider.
    expect((await signIn(directory, "s-5")).to).toBe("/?sign-in=taken");
    expect((await directory.send("DELETE", `/api/users/${id}/identities`)).status).toBe(204);
    expect((await signIn(directory, "s-5")).me).toMatchObject({ id });
  });

  test("never makes a user with a login or an address that is another's", async () => {
    await directory.addUser("ann", { email: "other@example.test" });
    await directory.addUser("carl@example.test", { email: null });
    offer(directory, "create");
    expect((await signIn(directory, "s-6")).to).toBe("/?sign-in=taken");
    expect((await signIn(directory, "s-7", { ...ANN, preferred_username: "ANN" })).to).toBe("/?sign-in=taken");
    const carl = { ...ANN, preferred_username: "carl", email: "carl@example.test" };
    expect((await signIn(directory, "s-8", carl)).to).toBe("/?sign-in=taken");
    expect((await directory.send("GET", "/api/users?count=true&limit=1")).headers.get("total-count")).toBe("3");
  });

  test("refuses new people unless they are to be made, and disabled users", async () => {
    const refused = await signIn(directory, "s-9");
    expect([refused.to, refused.me]).toEqual(["/?sign-in=unknown", undefined]);
    const [entry] = (await directory.send("GET", "/api/audit?action=signin.fail")).json;
    expect(entry).toMatchObject({ outcome: "refused", after: { via: "sso", reason: expect.stringContaining("ann@") } });
    await directory.addUser("ann", { active: true });
    const { json } = await directory.send("GET", "/api/users?login=ann");
    await directory.send("PATCH", `/api/users/${json[0].id}`, { json: { active: false } });
    expect((await signIn(directory, "s-9")).to).toBe("/?sign-in=disabled");
  });

  test("brings people into the provider's groups, and out of those alone", async () => {
    offer(directory, "create");
    const [web, db, own] = [
      await directory.addGroup("web"),
      await directory.addGroup("db"),
      await directory.addGroup("own"),
    ];
    const { me } = await signIn(directory, "s-10", { ...ANN, groups: ["web", "/DB", "none"] });
    const groups = async () =>
      (await directory.send("GET", `/api/users/${me.id}/groups`)).json.map((one: { id: number }) => one.id).sort();
    expect(await groups()).toEqual([web, db]);
    await directory.send("PUT", `/api/groups/${own}/members/${me.id}`);
    await signIn(directory, "s-10", { ...ANN, groups: ["db", "own"] });
    expect(await groups()).toEqual([db, own]);
    await signIn(directory, "s-10", ANN);
    expect(await groups()).toEqual([own]);
    expect((await signIn(directory, "s-10", { ...ANN, groups: [{ id: 1 }] })).to).toBe("/?sign-in=provider");
    offer(directory, "create", { groupsClaim: undefined });
    await signIn(directory, "s-10", { ...ANN, groups: ["web"] });
    expect(await groups()).toEqual([own]);
  });

  test("says that the provider or the person refused", async () => {
    expect((await signIn(directory, undefined)).to).toBe("/?sign-in=denied");
  });

  test("takes an answer only for the sign-in that this browser began", async () => {
    provider.people.set("s-11", ANN);
    provider.current = "s-11";
    await directory.addUser("ann");
    const begun = await start(directory);
    const sealed = cookieOf(begun, "berth_sso") ?? "";
    expect(begun.headers.getSetCookie()[0]).toMatch(/HttpOnly; SameSite=Lax$/);
    const url = await provider.visit(begun.headers.get("location") ?? "");
    const to = async (at: URL, pending: string | undefined) =>
      (await back(directory, at, pending)).headers.get("location");
    expect(await to(url, undefined)).toBe("/?sign-in=expired");
    expect(await to(url, `${sealed.slice(0, -2)}AA`)).toBe("/?sign-in=expired");
    const forged = new URL(url);
    forged.searchParams.set("state", "another");
    expect(await to(forged, sealed)).toBe("/?sign-in=mismatch");
    const sealer = createSealer("key", "test", () => new Date());
    const pending = sealer.open(sealed) as PendingSignIn;
    const later = new Date(Date.now() + 60_000);
    expect(await to(url, sealer.seal({ ...pending, nonce: "another" }, later))).toBe("/?sign-in=mismatch");
    directory.clock = new Date(Date.now() + 11 * 60_000);
    expect(await to(url, sealed)).toBe("/?sign-in=expired");
  });

  test("goes back to the page where it began, and to no other site", async () => {
    provider.people.set("s-12", ANN);
    provider.current = "s-12";
    await directory.addUser("ann");
    const begun = await start(directory, "/api/sso/start?returnTo=/device%3Fcode%3DBCDF");
    const url = await provider.visit(begun.headers.get("location") ?? "");
    const answer = await back(directory, url, cookieOf(begun, "berth_sso"));
    expect(answer.headers.get("location")).toBe("/device?code=BCDF");
    for (const elsewhere of ["//evil.test", "https://evil.test", "/\\evil.test"]) {
      const path = `/api/sso/start?returnTo=${encodeURIComponent(elsewhere)}`;
      expect((await start(directory, path)).status).toBe(400);
    }
  });

  test("says that the provider is away, and works once it is back", async () => {
    const away = await startTestProvider();
    await away.close();
    offer(directory, "create", { issuer: away.issuer });
    expect((await start(directory)).headers.get("location")).toBe("/?sign-in=away");
    expect((await directory.send("GET", "/api/sign-in", { token: null })).json.sso.signOutUrl).toBeNull();
    // It goes away in the middle of a sign-in.
    const leaving = await startTestProvider();
    leaving.serve(ORIGIN);
    leaving.people.set("s-13", ANN);
    leaving.current = "s-13";
    offer(directory, "create", { issuer: leaving.issuer });
    const begun = await start(directory);
    const url = await leaving.visit(begun.headers.get("location") ?? "");
    await leaving.close();
    const answer = await back(directory, url, cookieOf(begun, "berth_sso"));
    expect(answer.headers.get("location")).toBe("/?sign-in=away");
    expect(directory.faults).toHaveLength(2);
  });
});
