import { expect, test } from "vitest";
import { type Lease, leasesOf, NO_LEASES } from "./leases.ts";
import { portHolders } from "./port-holders.ts";

function lease(hostIp: string, hostPort: number, protocol: Lease<string>["protocol"], holder: string): Lease<string> {
  return { hostIp, hostPort, protocol, holder };
}

test("lists leases and reservations by port, protocol and address", () => {
  const taken = leasesOf([
    lease("::", 8080, "tcp", "web"),
    lease("0.0.0.0", 8080, "tcp", "web"),
    lease("127.0.0.1", 8080, "udp", "dns"),
    lease("0.0.0.0", 443, "tcp", "proxy"),
  ]);
  const reservations = leasesOf([lease("0.0.0.0", 8080, "tcp", "ann"), lease("0.0.0.0", 53, "udp", "bob")]);
  const rows = portHolders(taken, reservations);
  expect(
    rows.map(({ hostIp, hostPort, protocol, holder, kind }) => [hostPort, protocol, hostIp, kind, holder]),
  ).toEqual([
    [53, "udp", "0.0.0.0", "reservation", "bob"],
    [443, "tcp", "0.0.0.0", "lease", "proxy"],
    [8080, "tcp", "0.0.0.0", "lease", "web"],
    [8080, "tcp", "0.0.0.0", "reservation", "ann"],
    [8080, "tcp", "::", "lease", "web"],
    [8080, "udp", "127.0.0.1", "lease", "dns"],
  ]);
});

test("lists nothing on a host without leases and reservations", () => {
  expect(portHolders(NO_LEASES)).toEqual([]);
});
