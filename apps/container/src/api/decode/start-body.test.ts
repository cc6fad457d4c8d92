import { describe, expect, it } from "vitest";
import { requirePortsAlone } from "./start-body.ts";

describe("requirePortsAlone", () => {
  it.each([
    [null],
    [[]],
    [{ PortBindings: { "80/tcp": [{ HostPort: "1" }] }, PublishAllPorts: true }],
    [{ HostConfig: { PortBindings: { "80/tcp": [{ HostPort: "1" }] } } }],
    [
      // As the Docker CLI of API 1.14 sends it for a container with nothing special.
      {
        Binds: null,
        ContainerIDFile: "/tmp/cid",
        LxcConf: [],
        Privileged: false,
        PortBindings: {},
        NetworkMode: "bridge",
        RestartPolicy: { Name: "no", MaximumRetryCount: 0 },
      },
    ],
  ])("accepts %j", (body) => {
    expect(() => requirePortsAlone(body)).not.toThrow();
  });

  it.each([
    [{ Binds: ["/a:/b"] }, "Binds"],
    [{ HostConfig: { Privileged: true } }, "Privileged"],
    [{ NetworkMode: "host" }, "NetworkMode"],
    [{ RestartPolicy: { Name: "always", MaximumRetryCount: 0 } }, "RestartPolicy"],
    [{ Dns: ["1.2.3.4"], PortBindings: {} }, "Dns"],
  ])("rejects %j", (body, field) => {
    expect(() => requirePortsAlone(body)).toThrow(
      `HostConfig.${field} is not accepted at container start: give it in the create request`,
    );
  });
});
