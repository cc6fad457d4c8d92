import { afterAll, beforeAll, expect, it } from "vitest";
import { type BerthWithDirectory, startBerthWithDirectory } from "./berth.testing.ts";
import { addTenant, askDirectory, type Tenant } from "./tenants/tenant.testing.ts";

const SECRET = "audit-must-not-hold-this";

let berth: BerthWithDirectory;
let ann: Tenant;

beforeAll(async () => {
  berth = await startBerthWithDirectory();
  ann = await addTenant(berth, "ann", [{ kind: "host-ports", ports: [{ start: 8000, end: 8099 }] }]);
});
afterAll(() => berth?.close());

interface Entry {
  readonly action: string;
  readonly actor: number | null;
  readonly target: string;
  readonly outcome: string;
  readonly bypass: boolean;
  readonly after: { readonly name?: string; readonly reason?: string; readonly login?: string; readonly via?: string };
}

async function audit(query: string): Promise<readonly Entry[]> {
  return await askDirectory(berth, "GET", `/audit?${query}`);
}

/** The actions of engines, oldest first. */
async function actions(query: string): Promise<readonly string[]> {
  const entries = (await audit(query)).filter(({ target }) => /^(container|engine|image)/.test(target));
  return entries.map(({ action, outcome }) => `${action} ${outcome}`).reverse();
}

function createBody(more: object = {}): object {
  return {
    Image: "busybox",
    Cmd: ["sh", "-c", `sleep 600 # ${SECRET}`],
    Env: [`SECRET=${SECRET}`],
    Labels: { a: SECRET },
    ...more,
  };
}

it("tells what a user did and was refused, and why, without what the requests carried", async () => {
  const denied = createBody({ HostConfig: { PortBindings: { "80/tcp": [{ HostPort: "9000" }] } } });
  expect((await ann.ask("POST", "/containers/create?name=no", { json: denied })).status).toBe(403);
  const made = await ann.ask("POST", "/containers/create?name=web", { json: createBody() });
  expect(made.status).toBe(201);
  await ann.ask("POST", "/containers/web/start");
  const exec = await ann.ask("POST", "/containers/web/exec", { json: { Cmd: ["true", SECRET], Env: [`A=${SECRET}`] } });
  await ann.ask("POST", `/exec/${exec.json.Id}/start`, { json: { Detach: true } });
  expect((await ann.ask("POST", "/images/load", { json: {} })).status).toBe(403);
  expect((await ann.ask("DELETE", "/containers/web?force=true")).status).toBe(204);
  await expect
    .poll(() => actions(`user=${ann.id}`), { timeout: 20_000 })
    .toEqual([
      "container.create refused",
      "container.create done",
      "container.start done",
      "container.exec done",
      "image.load refused",
      "container.remove done",
    ]);
  const [load, create] = await audit(`user=${ann.id}&outcome=refused`);
  expect(load?.after.reason).toBe("denied by policy: only an administrator may POST /images/load");
  expect(create).toMatchObject({ actor: ann.id, target: "container/no", bypass: false, after: { via: "token" } });
  expect(create?.after.reason).toContain("host-ports 9000/tcp is outside the limit set by constraint 1 of user ann");
  const id = made.json.Id as string;
  expect((await audit(`target=container/${id}`)).map(({ action }) => action)).toContain("container.exec");
  expect(JSON.stringify(await audit("limit=200"))).not.toContain(SECRET);
});

it("tells what was done through the administrators' socket, and loses nothing while the directory is away", async () => {
  await berth.directory.end("SIGTERM");
  await berth.expect(
    [201],
    "POST",
    "/v1.41/containers/create?name=root",
    createBody({ HostConfig: { Privileged: true } }),
  );
  await berth.expect([204], "POST", "/v1.41/containers/root/start");
  // More than the moment in which what was done has no row yet.
  await new Promise((resolve) => setTimeout(resolve, 500));
  await berth.container.end("SIGKILL");
  await berth.directory.start();
  await berth.container.start();
  await berth.expect([204], "DELETE", "/v1.41/containers/root?force=true");
  await expect
    .poll(() => actions("bypass=true"), { timeout: 20_000 })
    .toEqual(["image.load done", "container.create done", "container.start done", "container.remove done"]);
  for (const entry of (await audit("bypass=true")).slice(0, 3))
    expect(entry).toMatchObject({ actor: null, after: { login: "root", via: "administrators-socket", name: "root" } });
});

it("tells of requests by nobody", async () => {
  const headers = { authorization: "Bearer bth_wrong" };
  expect((await ann.ask("GET", "/containers/json", { headers })).status).toBe(401);
  await expect
    .poll(() => actions("action=engine.authenticate"), { timeout: 20_000 })
    .toEqual(["engine.authenticate refused"]);
});
