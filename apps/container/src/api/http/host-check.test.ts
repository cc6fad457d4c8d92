import { expect, it } from "vitest";
import { requireOwnHost } from "./host-check.ts";

const TCP = { kind: "tcp", allowedHosts: ["Beta.example.test", "localhost"] } as const;

it.each(["beta.example.test:2375", "BETA.example.test", "localhost:2375", "127.0.0.1", "10.0.0.5:2375", "[::1]:2375"])(
  "answers requests for %s",
  (host) => expect(() => requireOwnHost(TCP, new Headers({ host }))).not.toThrow(),
);

it.each(["evil.example", "evil.example:2375", "127.0.0.1.evil.example", "", "[::1", "1.2.3.4.5"])(
  "refuses a page that calls it %j",
  (host) => expect(() => requireOwnHost(TCP, new Headers({ host }))).toThrow("is not a name of this service"),
);

it("refuses what pages send, whatever they call it", () => {
  const headers = new Headers({ host: "10.0.0.5", origin: "http://10.0.0.5" });
  expect(() => requireOwnHost(TCP, headers)).toThrow("requests of web pages are refused");
});

it.each([
  ["unix", "", "takes"],
  ["unix", "localhost:2375", "refuses"],
  ["tls", "", "refuses"],
  ["tcp", "", "refuses"],
] as const)("on %s with the Host %j, %s a WebSocket of another origin", (kind, host, verdict) => {
  const headers = new Headers({ host, origin: "http://localhost", upgrade: "websocket" });
  const check = () => requireOwnHost(kind === "tcp" ? TCP : { kind }, headers);
  if (verdict === "takes") expect(check).not.toThrow();
  else expect(check).toThrow("requests of web pages are refused");
});
