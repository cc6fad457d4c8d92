import { BASELINES, effectiveConstraints, type UserId } from "@berth/directory-domain";
import { expect, test } from "vitest";
import { type Actor, HOST_ADMINISTRATOR } from "../../engine/actor.ts";
import { isEngineError } from "../../engine/errors.ts";
import { encode } from "./protos.ts";
import { decideFrontendSolve, decideSolve } from "./solve-request.ts";

const AT = { door: "127.0.0.1:5000", result: "result/x" };
const USER: Actor = {
  kind: "user",
  id: "1",
  login: "ann",
  effective: effectiveConstraints({
    subject: { id: 1 as UserId, login: "ann", role: "user", active: true },
    constraints: [],
    baseline: BASELINES.safe,
    at: "2026-01-01T00:00:00.000Z",
  }),
};

/** A definition of one operation. */
function operation(op: Parameters<typeof encode<"pb.Op">>[1]) {
  return { def: [encode("pb.Op", op)] };
}

/** Why a request is refused; undefined if it is not. */
function refusal(decide: () => unknown): string | undefined {
  try {
    decide();
    return undefined;
  } catch (thrown) {
    if (isEngineError(thrown)) return `${thrown.kind}: ${thrown.message}`;
    throw thrown;
  }
}

test("an image's output becomes a push into the door, in the form that was asked for", () => {
  const attributes = { name: "app:1,app:2", compression: "zstd", unpack: "true", "annotation.a": "b" };
  const { image, request } = decideSolve(USER, { Exporters: [{ Type: "moby", Attrs: attributes }] }, AT);
  expect(image).toEqual({ names: ["app:1", "app:2"] });
  expect(request.Exporters).toEqual([
    {
      Type: "image",
      Attrs: {
        name: "127.0.0.1:5000/result/x:latest",
        push: "true",
        "registry.insecure": "true",
        store: "false",
        unpack: "false",
        compression: "zstd",
        "annotation.a": "b",
      },
    },
  ]);
  expect(request.SourcePolicy?.rules?.[0]).toMatchObject({ action: "DENY", selector: { identifier: ".*" } });
});

type SolveRequest = Parameters<typeof decideSolve>[1];

const IMAGE = { Exporters: [{ Type: "image", Attrs: {} }] };
const MOVED = operation({ exec: { meta: { cgroupParent: "/other" } } });

test.each<[what: string, request: SolveRequest, user: RegExp, administrator: RegExp | undefined]>([
  ["entitlements", { Entitlements: ["network.host"] }, /^forbidden: .*network\.host/, undefined],
  ["a policy of the client's", { SourcePolicy: { rules: [{ action: "ALLOW" }] } }, /^unsupported/, /^unsupported/],
  ["a control group", { FrontendAttrs: { "cgroup-parent": "/x" } }, /^forbidden: .*cgroup-parent/, undefined],
  ["a control group in a definition", { Definition: MOVED }, /^forbidden: .*cgroup-parent/, undefined],
  ["a control group in an input", { FrontendInputs: { a: MOVED } }, /^forbidden: .*cgroup-parent/, undefined],
  ["a push", { Exporters: [{ Type: "image", Attrs: { push: "true" } }] }, /docker push/, /docker push/],
  ["an unknown output", { Exporters: [{ Type: "other", Attrs: {} }] }, /output of type other/, /output of type other/],
  ["an output's unknown option", { Exporters: [{ Type: "image", Attrs: { new: "1" } }] }, /^unsupported: new/, /: new/],
  ["two images", { Exporters: [...IMAGE.Exporters, ...IMAGE.Exporters] }, /more than one/, /more than one/],
  ["a cache in a registry", { Cache: { Exports: [{ Type: "registry" }] } }, /^forbidden/, undefined],
  ["a cache elsewhere", { Cache: { Imports: [{ Type: "s3" }] } }, /^forbidden/, undefined],
  ["a cache of no name", { Cache: { Imports: [{ Type: "registry", Attrs: { ref: "A B" } }] } }, /^invalid/, /^invalid/],
])("%s", (_, request, user, administrator) => {
  expect(refusal(() => decideSolve(USER, request, AT))).toMatch(user);
  const asRoot = refusal(() => decideSolve(HOST_ADMINISTRATOR, request, AT));
  if (administrator === undefined) expect(asRoot).toBeUndefined();
  else expect(asRoot).toMatch(administrator);
});

test("images that caches are taken from are the door's", () => {
  const Imports = [{ Type: "registry", Attrs: { ref: "busybox" } }];
  const imports = JSON.stringify([{ Type: "registry", Attrs: { ref: "localhost:5000/a:1" } }]);
  const { request } = decideSolve(USER, { Cache: { Imports }, FrontendAttrs: { "cache-imports": imports } }, AT);
  const ref = "127.0.0.1:5000/image/docker.io/library/busybox:latest";
  expect(request.Cache?.Imports).toEqual([{ Type: "registry", Attrs: { ref, "registry.insecure": "true" } }]);
  expect(request.FrontendAttrs?.["cache-imports"]).toContain("127.0.0.1:5000/port/5000/localhost/a:1");
});

test("what buildx attests by itself is left out of an image, and stays in files", () => {
  const FrontendOpt = { "attest:provenance": "mode=min,inline-only=true", target: "x" };
  const decided = (hasImage: boolean) =>
    decideFrontendSolve(USER, { FrontendOpt }, { ...AT, hasImage }).FrontendOpt ?? {};
  expect(decided(true)).toEqual({ target: "x" });
  expect(decided(false)).toEqual(FrontendOpt);
  const asked = { "attest:provenance": "mode=max", "attest:sbom": "", platform: "a/b,c/d" };
  expect(decideFrontendSolve(USER, { FrontendOpt: asked }, { ...AT, hasImage: true }).FrontendOpt).toEqual(asked);
});
