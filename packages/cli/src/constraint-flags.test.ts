import { parseConstraint } from "@berth/directory-domain";
import { expect, test } from "vitest";
import { type ConstraintFlags, constraintsOf } from "./constraint-flags.ts";
import { bytesOf } from "./docker/bytes.ts";
import { describeConstraint } from "./phrases.ts";
import { table } from "./show.ts";

test.each([
  [{ ports: ["8000-8099,53/udp"] }, ["ports 8000-8099,53/udp"]],
  [{ ports: ["80", "443"] }, ["ports 80,443"]],
  [{ interfaces: ["127.0.0.1,10.0.0.0/8"] }, ["interfaces 127.0.0.1,10.0.0.0/8"]],
  [{ images: ["nginx*", "ghcr.io/*"] }, ["images docker.io/library/nginx*,ghcr.io/*"]],
  [{ mounts: ["/srv:ro", "/data"] }, ["mounts /srv:ro,/data"]],
  [{ networks: ["teamnet,7/shop_*"] }, ["networks teamnet,7/shop_*"]],
  [{ subnets: ["10.1.0.0/16"] }, ["subnets 10.1.0.0/16"]],
  [{ privileges: ["host-network,capability:net_admin"] }, ["privileges host-network,capability:NET_ADMIN"]],
  [{ images: ["none"], mounts: ["none"] }, ["images none", "mounts none"]],
  [{ quota: ["memory=1.5g,containers=3"] }, ["quota memory=1536m", "quota containers=3"]],
])("%j is %j", (flags, described) => {
  const made = constraintsOf(flags, "limit");
  const read = made.ok ? made.value.map(parseConstraint) : [];
  expect(read.map((one) => (one.ok ? describeConstraint(one.value) : one.error.detail))).toEqual(described);
});

test.each<[ConstraintFlags, string]>([
  [{ images: [] }, "--images needs a value; none permits nothing"],
  [{ ports: [""] }, "--ports needs a value; none permits nothing"],
  [{ ports: ["80,"] }, "--ports needs a value; none permits nothing"],
  [{ sharedQuota: [] }, "--shared-quota needs a value; none permits nothing"],
  [{ ports: ["80-"] }, "--ports 80-: must be a port or range from 1 to 65535, as in 8000-8099 or 53/udp"],
  [
    { interfaces: ["127.0.0.1,eth0"] },
    "--interfaces eth0: must be an IP address, a CIDR block or *, without leading zeros or a zone",
  ],
])("%j is refused: %s", (flags, error) => {
  expect(constraintsOf(flags, "limit")).toEqual({ ok: false, error });
});

test.each([
  ["512", 512],
  ["1k", 1024],
  ["512m", 512 * 2 ** 20],
  ["1.5G", 1.5 * 2 ** 30],
  ["4GiB", 4 * 2 ** 30],
  ["10b", 10],
  ["", undefined],
  ["lots", undefined],
  ["-1", undefined],
])("%s is %s bytes", (amount, bytes) => expect(bytesOf(amount)).toBe(bytes));

test("a table names its columns in words", () => {
  expect(table([{ expiresAt: null }], ["expiresAt"])).toBe("EXPIRES AT\n-");
});

test("a table shows no control characters", () => {
  expect(table([{ name: "a\u001b[31m" }, { name: null }], ["name"])).toBe("NAME\na?[31m\n-");
});
