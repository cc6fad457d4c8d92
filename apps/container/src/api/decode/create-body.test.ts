import { describe, expect, it } from "vitest";
import { parseJson } from "../go-json/json-body.ts";
import { decodeCreateBody } from "./create-body.ts";

const IMAGE = { Image: "busybox" };

function create(body: unknown) {
  return decodeCreateBody(parseJson(Buffer.from(JSON.stringify(body))));
}

describe("decodeCreateBody", () => {
  it("sets no default: a missing field is Go's zero value", () => {
    expect(create(IMAGE).hostConfig).toMatchObject({
      NetworkMode: "",
      IpcMode: "",
      ShmSize: 0,
      Runtime: "",
      PidsLimit: null,
    });
  });

  it.each([
    [{ "80/tcp": {}, "90-91/udp": {} }, ["80/tcp", "90/udp", "91/udp"]],
    [{ "7-7": {} }, ["7"]],
    [{ "9-8/tcp": {}, "0-1": {}, "1-65536": {}, "a-b": {} }, ["9-8/tcp", "0-1", "1-65536", "a-b"]],
  ])("exposes each port of a range, %j", (ExposedPorts, keys) => {
    expect(Object.keys(create({ ...IMAGE, ExposedPorts }).config.ExposedPorts ?? {})).toEqual(keys);
  });

  it("refuses overlapping ranges of more ports than there are, before they are laid out", () => {
    const ExposedPorts = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`${at + 1}-65535`, {}]));
    expect(() => create({ ...IMAGE, ExposedPorts })).toThrow("ExposedPorts: more than 196605 ports");
    expect(Object.keys(create({ ...IMAGE, ExposedPorts: { "1-65535": {} } }).config.ExposedPorts ?? {})).toHaveLength(
      65_535,
    );
  });

  it("decodes PortSpecs, endpoints and a command given as one string", () => {
    const request = create({
      ...IMAGE,
      Cmd: "true",
      PortSpecs: ["80"],
      NetworkingConfig: {
        EndpointsConfig: { net: { Aliases: ["a"], IPAMConfig: { IPv4Address: "10.0.0.2" } }, other: null },
      },
    });
    expect(request.config.Cmd).toEqual(["true"]);
    expect(request.portSpecs).toEqual(["80"]);
    expect(request.endpoints).toEqual({ net: { Aliases: ["a"], IPAMConfig: { IPv4Address: "10.0.0.2" } }, other: {} });
  });
});
