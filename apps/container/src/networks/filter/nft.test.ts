import { afterAll, beforeAll, expect, it } from "vitest";
import { runCommand } from "../command.ts";
import { uniqueInstance } from "../host.testing.ts";
import type { Element } from "./element.ts";
import { openNft } from "./nft.ts";
import { dropTableCommands, ENDPOINT_SETS, PUBLISHED_SETS, tableCommands } from "./tables.ts";

const SETS = [...PUBLISHED_SETS, ...ENDPOINT_SETS];
const [table, other] = [uniqueInstance(), uniqueInstance()];
const nft = openNft();

beforeAll(() => nft.apply([table, other].flatMap(tableCommands)));
afterAll(() => nft.apply([table, other].flatMap(dropTableCommands)));

function port(number: number, address = "10.0.0.1"): Element {
  return { family: "ip", set: "ports", key: `tcp . ${number}`, value: `${address} . 80` };
}
function change(add: readonly Element[], gone: readonly Element[] = []): Promise<void> {
  return nft.change(table, SETS, { add, delete: gone });
}

async function listed({ family, set }: Pick<Element, "family" | "set">, of = table): Promise<string> {
  const kind = SETS.find((one) => one.family === family && one.set === set)?.isMap ? "map" : "set";
  const text = await runCommand("nft", ["list", kind, family, of, set]);
  return text.replace(of, "TABLE");
}

const EXAMPLES: readonly Element[] = [
  { family: "ip", set: "ports", key: "tcp . 8080", value: "172.17.0.2 . 80" },
  { family: "ip", set: "opened", key: "172.17.0.2 . udp . 53" },
  { family: "ip", set: "addresses", key: "127.0.0.1 . sctp . 65535", value: "10.210.0.254 . 1" },
  { family: "ip6", set: "ports", key: "udp . 8080", value: "fd00::2 . 8443" },
  { family: "ip6", set: "opened", key: "fd00:1:2:3:4:5:6:7 . tcp . 53" },
  { family: "ip6", set: "addresses", key: "2001:db8::1 . tcp . 443", value: "fd00::ff . 443" },
  { family: "bridge", set: "links", key: "veth0a1b2c3d" },
  { family: "bridge", set: "sources", key: "veth0a1b2c3d . 02:42:ac:11:00:02 . 172.17.0.2" },
  { family: "bridge", set: "sources6", key: "veth0a1b2c3d . 02:42:ac:11:00:02 . fe80::42:acff:fe11:2" },
  { family: "bridge", set: "targets6", key: "veth0a1b2c3d . 02:42:ac:11:00:02 . 0xfe800000000000000042acfffe110002" },
  { family: "bridge", set: "isolated_links", key: "veth0a1b2c3d" },
  { family: "bridge", set: "separated_links", key: "veth0a1b2c3d" },
  { family: "bridge", set: "link_owners", key: "veth0a1b2c3d", value: "300" },
  { family: "bridge", set: "owned_links", key: "300 . veth0a1b2c3d" },
  { family: "ip", set: "address_owners", key: "172.17.0.2", value: "300" },
  { family: "ip", set: "owned_addresses", key: "300 . 172.17.0.2" },
  { family: "ip", set: "guests", key: "172.17.0.2" },
  { family: "ip6", set: "address_owners", key: "fd00::2", value: "70000" },
  { family: "ip6", set: "owned_addresses", key: "70000 . fd00::2" },
  { family: "ip6", set: "guests", key: "br-0123456789ab . fe80::1" },
];

it.each(EXAMPLES)("adds and deletes an element of $family $set as nft does", async (element) => {
  const { family, set, key, value } = element;
  const empty = await listed(element);
  await nft.apply([`add element ${family} ${other} ${set} { ${key}${value === undefined ? "" : ` : ${value}`} }`]);
  await change([element]);
  expect(await listed(element)).toBe(await listed(element, other));
  expect(await listed(element)).not.toBe(empty);
  await change([], [element]);
  expect(await listed(element)).toBe(empty);
});

it("has an example of every set", () => {
  const names = (sets: readonly Pick<Element, "family" | "set">[]) =>
    new Set(sets.map(({ family, set }) => `${family} ${set}`));
  expect(names(EXAMPLES)).toEqual(names(SETS));
});

it("changes all or nothing, and says what the kernel answered", async () => {
  await change([port(1)]);
  await expect(change([port(2), port(1, "10.0.0.9")])).rejects.toThrow("EEXIST");
  await expect(change([port(3)], [port(9)])).rejects.toThrow("ENOENT");
  await expect(nft.apply([`add element ip ${table} nowhere { 3 }`])).rejects.toThrow("No such file");
  expect(await listed(port(1))).toContain("elements = { tcp . 1 : 10.0.0.1 . 80 }");
  await change([port(2)], [port(1)]);
  expect(await listed(port(1))).toContain("elements = { tcp . 2 : 10.0.0.1 . 80 }");
  await change([], [port(2)]);
});

it("keeps the order of calls that nobody waited for", async () => {
  await Promise.all([
    change([port(5)]),
    change([port(5, "10.0.0.2")], [port(5, "10.0.0.1")]),
    nft.apply([`delete element ip ${table} ports { tcp . 5 }`]),
    change([port(5, "10.0.0.3")]),
  ]);
  expect(await listed(port(5))).toContain("tcp . 5 : 10.0.0.3 . 80");
  await change([], [port(5)]);
});

it("takes thousands of elements at once", async () => {
  const ports = Array.from({ length: 2_000 }, (_, at) => port(at + 1));
  await change(ports);
  expect((await listed(port(1))).match(/10\.0\.0\.1/g)).toHaveLength(ports.length);
  await change([], ports);
  expect(await listed(port(1))).not.toContain("elements");
});
