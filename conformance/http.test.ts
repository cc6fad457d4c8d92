import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BODIES } from "./bad-bodies.testing.ts";
import { PATHS } from "./bad-paths.testing.ts";
import { removeContainers } from "./berth.testing.ts";
import { sharedBerth } from "./shared-berth.testing.ts";
import { vectors } from "./vectors.testing.ts";

const berth = sharedBerth();
beforeAll(async () => {
  await berth.expect([201], "POST", "/containers/create?name=taken", { Image: "busybox", Cmd: ["true"] });
});

afterAll(() => removeContainers(berth));

const CREATE = "/v1.41/containers/create";
const JSON_TYPE = "application/json";

test("execs and health probes have the container's ulimits", async () => {
  const command = "ulimit -n; ulimit -Hn";
  const { json } = await berth.expect([201], "POST", CREATE, {
    Image: "busybox",
    Cmd: ["sleep", "600"],
    Healthcheck: { Test: ["CMD-SHELL", command], Interval: 1e9 },
    HostConfig: { Ulimits: [{ Name: "nofile", Soft: 1000, Hard: 1500 }] },
  });
  await berth.expect([204], "POST", `/v1.41/containers/${json.Id}/start`);
  const exec = await berth.expect([201], "POST", `/v1.41/containers/${json.Id}/exec`, {
    Cmd: ["sh", "-c", `[ "$(${command})" = "$(printf '1000\\n1500')" ]`],
  });
  await berth.expect([200], "POST", `/v1.41/exec/${exec.json.Id}/start`, { Detach: true });
  const exitCode = async () => (await berth.ask("GET", `/v1.41/exec/${exec.json.Id}/json`)).json.ExitCode;
  await expect.poll(exitCode).toBe(0);
  const probed = async () => {
    const { State } = (await berth.ask("GET", `/v1.41/containers/${json.Id}/json`)).json;
    return State.Health.Log[0]?.Output;
  };
  await expect.poll(probed).toBe("1000\n1500\n");
});

describe("bad input gets Docker's status and a message, and changes nothing", () => {
  test.each([...BODIES, ...PATHS])(
    "$what",
    async ({ method = "POST", path = CREATE, body, type = JSON_TYPE, status, says }) => {
      const before = await state();
      const answer = await send(method, path, body, body === undefined ? null : type);
      expect({ status: answer.status, type: answer.type }).toEqual({ status, type: JSON_TYPE });
      const { message, ...rest } = JSON.parse(answer.text);
      expect(rest).toEqual({});
      if (typeof says === "string") expect(message).toBe(says);
      else expect(message).toMatch(says);
      expect(await state()).toEqual(before);
    },
  );

  test("a request that is no HTTP at all leaves the service answering", async () => {
    await new Promise<void>((settle) => {
      const socket = connect(berth.socket, () => socket.end("\x00\x01 what is this\r\n\r\n"));
      socket
        .on("close", () => settle())
        .on("error", () => undefined)
        .resume();
    });
    expect((await berth.ask("GET", "/_ping")).text).toBe("OK");
  });

  test("an archive that is none is told in the answer's stream, as Docker does, and loads nothing", async () => {
    const before = await state();
    const answer = await send("POST", "/v1.41/images/load", "this is no tar archive", "application/x-tar");
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text).errorDetail.message).toMatch(/./);
    expect(await state()).toEqual(before);
  });

  test("an empty Host is answered: the docker CLI up to 20.10 attaches with one", async () => {
    const answer = await new Promise<string>((settle, reject) => {
      const socket = connect(berth.socket, () => socket.end("GET /_ping HTTP/1.1\r\nHost: \r\n\r\n"));
      let text = "";
      socket.on("data", (data) => {
        text += data;
      });
      socket.on("error", reject).on("close", () => settle(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  test("errors below API 1.24 are plain text", async () => {
    const answer = await send("GET", "/v1.23/containers/none/json", undefined, null);
    expect(answer).toEqual({ status: 404, type: "text/plain", text: "No such container: none\n" });
  });
});

describe("API versions", () => {
  test.each(vectors.versionNegotiation)("$method $path: $why", async ({ method, path, expect: wanted }) => {
    const { json: server } = await berth.expect([200], "GET", "/version");
    // The recording engine's bounds were 1.12 and 1.41; outside create, start, inspect and list Berth's least is 1.24.
    const next = server.ApiVersion.replace(/\d+$/, (minor: string) => String(Number(minor) + 1));
    const answer = await berth.ask(method, path.replace("1.42", next).replace("1.12", server.MinAPIVersion));
    const shown = (text: string) =>
      text
        .replaceAll("1.41", server.ApiVersion)
        .replaceAll("1.42", next)
        .replaceAll("version is 1.12", `version is ${server.MinAPIVersion}`);
    expect(answer.status).toBe(wanted.status);
    expect(answer.headers["content-type"]?.split(";")[0]).toBe(wanted.contentType.split(";")[0]);
    expect(answer.headers["api-version"] ?? null).toBe(wanted.apiVersionHeader === null ? null : server.ApiVersion);
    if (typeof wanted.body === "string") expect(answer.text).toBe(shown(wanted.body));
    else if (wanted.body.message) expect(answer.json.message).toBe(shown(wanted.body.message));
  });

  test.each([
    ["POST", "/v1.6/containers/create", 201],
    ["GET", "/v1.6/containers/json", 200],
    ["GET", "/v1.5/containers/json", 400],
    ["GET", "/v1.23/images/json", 400],
    ["GET", "/v1.24/images/json", 200],
  ])("%s %s answers %i", async (method, path, status) => {
    const body = method === "POST" ? { json: { Image: "busybox" } } : {};
    const answer = await berth.ask(method, path, body);
    expect(answer.status).toBe(status);
  });
});

/** All that a create could have changed. */
async function state() {
  const [containers, images] = await Promise.all([
    berth.expect([200], "GET", "/v1.41/containers/json?all=true"),
    berth.expect([200], "GET", "/v1.41/images/json"),
  ]);
  return {
    containers: containers.json.map(({ Id, State }: { Id: string; State: string }) => `${Id} ${State}`),
    images: images.json.map(({ Id, RepoTags }: { Id: string; RepoTags: string[] }) => `${Id} ${RepoTags}`),
  };
}

/** Sends exactly this body and header: an ordinary client would mend them. */
function send(
  method: string,
  path: string,
  body: string | undefined,
  type: string | null,
): Promise<{ status: number; type: string; text: string }> {
  return new Promise((settle, reject) => {
    const sent = request({
      socketPath: berth.socket,
      method,
      path,
      headers: type === null ? {} : { "content-type": type },
    });
    sent.on("error", reject);
    sent.on("response", async (response) => {
      let text = "";
      for await (const part of response) text += part;
      settle({
        status: response.statusCode ?? 0,
        type: (response.headers["content-type"] ?? "").split(";")[0] ?? "",
        text,
      });
    });
    sent.end(body === undefined ? undefined : Buffer.from(body, "latin1"));
  });
}
