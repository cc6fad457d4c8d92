import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "berth-settings-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** `npm start -- --check` with this environment alone and this settings file. */
function check(env: Readonly<Record<string, string>>, file = ""): Promise<{ code: number; output: string }> {
  const conf = join(folder, "berth.conf");
  writeFileSync(conf, file);
  const settings = {
    PATH: process.env.PATH,
    HOME: folder,
    BERTH_CONF: conf,
    BERTH_STATE: join(folder, "state"),
    BERTH_RUN: join(folder, "run"),
    BERTH_DIRECTORY_LISTEN: "127.0.0.1:0",
    ...env,
  };
  return new Promise((settle) => {
    execFile("bash", [join(ROOT, "scripts/start.sh"), "--check"], { env: settings }, (failure, stdout, stderr) =>
      settle({ code: failure === null ? 0 : Number(failure.code ?? 1), output: stdout + stderr }),
    );
  });
}

/** Settings that take any text; the last ones are OpenTelemetry's own to judge. */
const ANY_TEXT = [
  "NO_PROXY",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "OTEL_RESOURCE_ATTRIBUTES",
  "OTEL_SERVICE_NAME",
  "OTEL_TRACES_SAMPLER",
  "OTEL_TRACES_SAMPLER_ARG",
];

/** A wrong value for every other setting. */
const WRONG = {
  BERTH_ARGON2_MEMORY_KIB: "x",
  BERTH_ARGON2_PASSES: "0",
  BERTH_AUDIT_DAYS: "-1",
  BERTH_BIN: "bin",
  BERTH_BUILDKIT: "tcp://host:2375",
  BERTH_BUILDS: "0",
  BERTH_BUILD_TIMEOUT: "1h",
  BERTH_CONTAINERD: "containerd.sock",
  BERTH_CONTAINERD_PATIENCE: "0",
  BERTH_CONTAINER_DATABASE_URL: "mysql://host/berth",
  BERTH_DEFAULT_HOST_IP: "localhost",
  BERTH_DEMO_PORT: "http",
  BERTH_DIRECTORY_CONNECTIONS: "1",
  BERTH_DIRECTORY_DATABASE_URL: "berth",
  BERTH_DIRECTORY_HOSTS: "a b",
  BERTH_DIRECTORY_LISTEN: "7780",
  BERTH_DIRECTORY_METRICS_LISTEN: "9465",
  BERTH_DIRECTORY_PUBLIC_URL: "ftp://host",
  BERTH_DIRECTORY_TLS_CA: "/no/ca",
  BERTH_DIRECTORY_TLS_CERT: "/no/cert",
  BERTH_DIRECTORY_TLS_CRL: "/no/crl",
  BERTH_DIRECTORY_TOKEN_FILE: "/no/token",
  BERTH_DIRECTORY_URL: "alpha:7780",
  BERTH_DISK_RESERVE: "lots",
  BERTH_DYNAMIC_PORTS: "9-1",
  BERTH_FLEET_ADDRESS: "h1:2375",
  BERTH_IMAGE_LIMIT: "1.5g",
  BERTH_INSECURE_REGISTRIES: "http://registry",
  BERTH_INSTANCE: "Berth",
  BERTH_KUBERNETES_CONFIG: "kubeconfig",
  BERTH_KUBERNETES_IMAGE: "busy box",
  BERTH_KUBERNETES_NAMESPACE: "Berth",
  BERTH_LAYER_LIMIT: "-1",
  BERTH_LISTEN: "2375",
  BERTH_LOG_LEVEL: "loud",
  BERTH_LOG_MAX_FILES: "0",
  BERTH_LOG_MAX_SIZE: "ten",
  BERTH_METRICS_LISTEN: "metrics",
  BERTH_OIDC_CLIENT_ID: "a\tb",
  BERTH_OIDC_CLIENT_SECRET_FILE: "/no/secret",
  BERTH_OIDC_GROUPS_CLAIM: "my groups",
  BERTH_OIDC_ISSUER: "http://id.example.com",
  BERTH_OIDC_LOGIN_CLAIM: "the login",
  BERTH_OIDC_NAME: "a\tb",
  BERTH_OIDC_NEW_USERS: "maybe",
  BERTH_OIDC_SCOPES: "profile",
  BERTH_PASS_MIN_LENGTH: "1",
  BERTH_PLACES_ONLY: "yes",
  BERTH_POLICY_DEFAULT: "strict",
  BERTH_POOL: "many",
  BERTH_POSTGRES_OPTIONS: "max_connections",
  BERTH_REGISTRY_MIRROR: "mirror",
  BERTH_REQUIRE_IF_MATCH: "yes",
  BERTH_RUN: "run",
  BERTH_SECOND_FACTOR: "sometimes",
  BERTH_SECOND_FACTOR_KEY_FILE: "/no/key",
  BERTH_SERVICES: "one",
  BERTH_SOCKET: "berth.sock",
  BERTH_STATE: "state",
  BERTH_SUBNET: "172.29.0.0",
  BERTH_SUBNET6: "fe80::/64",
  BERTH_TLS_CA: "/no/ca",
  BERTH_TLS_CRL: "/no/crl",
  BERTH_TLS_KEY: "/no/key",
  BERTH_TLS_LISTEN: "2376",
  BERTH_USER_SOCKETS: "../ann",
  DATABASE_URL: "localhost",
  HTTPS_PROXY: "proxy",
  HTTP_PROXY: "proxy:3128",
  NODE_EXTRA_CA_CERTS: "/no/ca",
  OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318",
};

test("operations.md lists every setting that the scripts know, and no other", () => {
  const page = readFileSync(join(ROOT, "docs/operations.md"), "utf8");
  const table = page.slice(page.indexOf("## Settings"), page.indexOf("## Who may use the engine"));
  const documented = [...table.matchAll(/^\| (.+?) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name),
  );
  const known = readFileSync(join(ROOT, "scripts/settings.txt"), "utf8").trim().split("\n");
  expect([...new Set(documented)].sort()).toEqual([...known].sort());
});

test("every further way to get the scripts' own settings wrong is named", async () => {
  const wrong: readonly (readonly [string, string])[] = [
    ["BERTH_SERVICES", "container,directory"],
    ["BERTH_DEMO_PORT", "0"],
    ["BERTH_DEMO_PORT", "65536"],
    ["BERTH_POSTGRES_OPTIONS", "shared_buffers = 1"],
    ["BERTH_POSTGRES_OPTIONS", "a='b'"],
    ["BERTH_BIN", "~/bin"],
    ["BERTH_DIRECTORY_TLS_CERT", "/no/such/file"],
    ["NODE_EXTRA_CA_CERTS", "/no/such/file"],
  ];
  const faults = await Promise.all(
    wrong.map(
      ([name, value]) =>
        new Promise<string>((settle) => {
          const env = { [name]: value };
          execFile(process.execPath, [join(ROOT, "scripts/wrong-settings.mjs")], { env }, (_, stdout) =>
            settle(stdout),
          );
        }),
    ),
  );
  expect(faults).toEqual(wrong.map(([name]) => expect.stringMatching(new RegExp(`^ {2}${name}: `))));
});

describe("npm start -- --check", { timeout: 30_000 }, () => {
  test("names the setting and the program of a port that is taken", async () => {
    const server = createServer();
    await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const { code, output } = await check({ BERTH_DIRECTORY_LISTEN: `127.0.0.1:${port}` });
    server.close();
    expect(output).toContain(`BERTH_DIRECTORY_LISTEN: 127.0.0.1:${port} is in use by process ${process.pid} (`);
    expect(code).toBe(1);
  });

  test("names an address that this machine does not have", async () => {
    const { code, output } = await check({ BERTH_LISTEN: "192.0.2.1:2375" });
    expect(output).toContain("BERTH_LISTEN: 192.0.2.1:2375 is not an address of this machine");
    expect(code).toBe(1);
  });

  test("names two settings with one address", async () => {
    const addresses = { BERTH_LISTEN: "0.0.0.0:23750", BERTH_METRICS_LISTEN: "127.0.0.1:23750" };
    const { code, output } = await check(addresses);
    expect(output).toContain("BERTH_METRICS_LISTEN: want another address, since BERTH_LISTEN has this one");
    expect(output).not.toContain("is in use");
    expect(code).toBe(1);
  });

  test("warns of an address and a socket that this machine does not have", async () => {
    const { output } = await check({ BERTH_DEFAULT_HOST_IP: "192.0.2.1", BERTH_CONTAINERD: "/no/such.sock" });
    expect(output).toContain("BERTH_DEFAULT_HOST_IP: 192.0.2.1 is not an address of this machine");
    expect(output).toContain("BERTH_CONTAINERD: there is no /no/such.sock");
  });

  test("names a BERTH_STATE or BERTH_RUN that holds the files of others, or is no folder", async () => {
    const [state = "", run = ""] = ["state-place", "run-place"].map((name) => join(folder, name));
    for (const place of [state, run]) mkdirSync(place);
    writeFileSync(join(run, "command.lock"), "");
    const empty = check({ BERTH_STATE: state, BERTH_RUN: run });
    expect((await empty).output).not.toContain("FAIL  disk");
    for (const place of [state, run]) writeFileSync(join(place, "theirs"), "");
    const [shared, file] = await Promise.all([
      check({ BERTH_STATE: state, BERTH_RUN: run }),
      check({ BERTH_STATE: join(state, "theirs/x"), BERTH_RUN: join(run, "theirs") }),
    ]);
    const advice = (name: string) => `set ${name} to a folder for Berth alone`;
    expect(shared.output).toContain(
      `BERTH_STATE: ${state} has files of others, such as theirs; ${advice("BERTH_STATE")}`,
    );
    expect(shared.output).toContain(`BERTH_RUN: ${run} has files of others, such as theirs; ${advice("BERTH_RUN")}`);
    expect(file.output).toContain(`BERTH_STATE: ${join(state, "theirs")} is not a folder; ${advice("BERTH_STATE")}`);
    expect(file.output).toContain(`BERTH_RUN: ${join(run, "theirs")} is not a folder; ${advice("BERTH_RUN")}`);
    expect([shared.code, file.code]).toEqual([1, 1]);
  });

  test("leads to no purge of the files of others", async () => {
    const place = join(folder, "shared");
    mkdirSync(join(place, "log"), { recursive: true });
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      BERTH_CONF: "/dev/null",
      BERTH_SERVICES: "directory",
      BERTH_STATE: place,
      BERTH_RUN: place,
      BERTH_SOCKET: join(place, "theirs"),
    };
    writeFileSync(env.BERTH_SOCKET, "data");
    const output = execFileSync("bash", [join(ROOT, "scripts/stop.sh"), "--purge"], { env, encoding: "utf8" });
    expect(output).toContain(`kept: ${place} is no folder of Berth's alone`);
    expect(readFileSync(env.BERTH_SOCKET, "utf8")).toBe("data");
  });

  test("names every unknown setting", async () => {
    const { code, output } = await check({ BERTH_LISTNE: "127.0.0.1:1", BERTH_SUBNETS: "10.0.0.0/8" });
    expect(output).toContain("BERTH_LISTNE: is not a setting");
    expect(output).toContain("BERTH_SUBNETS: is not a setting");
    expect(code).toBe(1);
  });

  test("names every setting that is wrong, all at once and each once", async () => {
    const { code, output } = await check(WRONG);
    const said = [...output.matchAll(/FAIL +settings +([A-Z_0-9]+): (.*)$/gm)].map(([, name, text]) => [name, text]);
    expect(said.map(([name]) => name).sort()).toEqual(
      [...Object.keys(WRONG), "BERTH_DIRECTORY_TLS_KEY", "BERTH_TLS_CERT"].sort(),
    );
    const known = readFileSync(join(ROOT, "scripts/settings.txt"), "utf8").trim().split("\n");
    expect(known.filter((name) => !said.some(([one]) => one === name))).toEqual(ANY_TEXT);
    expect(said.every(([, text = ""]) => /^(want|is missing|names a login|.* cannot be read)/.test(text))).toBe(true);
    expect(output).not.toMatch(/^ +at |Error:/m);
    expect(code).toBe(1);
  });

  test("reads the settings file, over which the environment wins", async () => {
    const file = '# our settings\n\n BERTH_LISTEN = "192.0.2.1:2375"\nBERTH_TLS_LISTEN=192.0.2.2:2376\r\n';
    const { output } = await check({ BERTH_TLS_LISTEN: "192.0.2.3:2376" }, file);
    expect(output).toContain("BERTH_LISTEN: 192.0.2.1:2375 is not an address");
    expect(output).toContain("BERTH_TLS_LISTEN: 192.0.2.3:2376 is not an address");
  });

  test("names each line of the settings file that cannot be used", async () => {
    const { code, output } = await check({}, "BERTH_LISTNE=1\nnonsense\nPATH=/tmp\n");
    expect(output).toContain("line 1: `BERTH_LISTNE` is not a setting");
    expect(output).toContain("line 2: `nonsense` is not NAME=value");
    expect(output).toContain("line 3: `PATH` is not a setting");
    expect(code).toBe(1);
  });

  test("names a settings file that is missing", async () => {
    const { code, output } = await check({ BERTH_CONF: "/no/such/file" });
    expect(output).toContain("BERTH_CONF: there is no file /no/such/file");
    expect(code).toBe(1);
  });

  test("changes nothing", async () => {
    const { output } = await check({});
    expect(output).toMatch(/ok +node +v\d+/);
    expect(() => readFileSync(join(folder, "state"))).toThrow("ENOENT");
    expect(() => readFileSync(join(folder, "run"))).toThrow("ENOENT");
  });
});
