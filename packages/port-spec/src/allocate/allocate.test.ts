import { describe, expect, test } from "vitest";
import { ALL_PORTS, formatPortSet, NO_PORTS, parsePortSet } from "../spec/port-set.ts";
import { allocate } from "./allocate.ts";
import { addLeases, type HostEndpoint, type Lease, leasesOf, NO_LEASES } from "./leases.ts";
import { DEFAULT_PORT_POLICY, type PortPolicy } from "./port-policy.ts";
import type { PortWish, PortWishes } from "./port-wish.ts";

/** A wish as text: `[hostIp ]hostPorts[/protocol]`, `*` for a dynamic port. */
function wish(text: string, more: Partial<PortWish> = {}): PortWish {
  const [spec = "", hostIp = ""] = text.split(" ").reverse();
  const [ports = "", protocol = "tcp"] = spec.split("/");
  const [start, end] = ports.split("-").map(Number);
  const hostPorts = ports === "*" ? undefined : { start: start ?? 0, end: end ?? start ?? 0 };
  return { containerPort: 80, protocol: protocol as PortWish["protocol"], hostIp, hostPorts, ...more };
}

const request = (holder: string, ...wishes: readonly (string | PortWish)[]): PortWishes<string> => ({
  holder,
  wishes: wishes.map((one) => (typeof one === "string" ? wish(one) : one)),
});

const lease = (
  hostIp: string,
  hostPort: number,
  holder = "other",
  protocol: HostEndpoint["protocol"] = "tcp",
): Lease<string> => ({
  hostIp,
  hostPort,
  protocol,
  holder,
});

const set = (text: string) => {
  const parsed = parsePortSet(text);
  return parsed.ok ? parsed.value : NO_PORTS;
};
const policy = (more: Partial<PortPolicy<string>> = {}): PortPolicy<string> => ({ ...DEFAULT_PORT_POLICY, ...more });
const V4 = { anyAddress: ["0.0.0.0"] };

/** The host ports given, by `ip:port/protocol`, or the conflict in short. */
function outcome(requests: readonly PortWishes<string>[], taken: readonly Lease<string>[], rules = policy()) {
  const given = allocate(requests, leasesOf(taken), rules);
  if (given.ok) return given.value.map(({ hostIp, hostPort, protocol }) => `${hostIp}:${hostPort}/${protocol}`);
  return { code: given.error.code, message: given.error.message };
}

describe("allocate", () => {
  test("gives a wish for every interface one port on each of its addresses, with its holder", () => {
    expect(allocate([request("web", wish("8080", { containerPort: 443 }))], NO_LEASES, policy())).toEqual({
      ok: true,
      value: [
        { hostIp: "0.0.0.0", hostPort: 8080, protocol: "tcp", containerPort: 443, holder: "web" },
        { hostIp: "::", hostPort: 8080, protocol: "tcp", containerPort: 443, holder: "web" },
      ],
    });
  });

  test("keeps the order of requests and wishes, whatever was settled first", () => {
    const requests = [request("a", "::1 *", "127.0.0.1 8000-8001", "127.0.0.1 8000"), request("b", "127.0.0.1 9000")];
    expect(outcome(requests, [])).toEqual([
      "::1:32768/tcp",
      "127.0.0.1:8001/tcp",
      "127.0.0.1:8000/tcp",
      "127.0.0.1:9000/tcp",
    ]);
  });

  test("gives nothing for no wishes", () => {
    expect(outcome([], [])).toEqual([]);
    expect(outcome([request("a")], [])).toEqual([]);
  });

  test("a policy without any address gives wishes for every interface nothing", () => {
    expect(outcome([request("a", "80", "*")], [], policy({ anyAddress: [] }))).toEqual([]);
    const narrow = policy({ anyAddress: [], permitted: { tcp: set("1"), udp: NO_PORTS, sctp: NO_PORTS } });
    expect(outcome([request("a", "80")], [], narrow)).toMatchObject({ code: "port-not-permitted" });
    expect(allocate([request("a", "80")], NO_LEASES, narrow)).toMatchObject({ ok: false, error: { hostIp: "" } });
  });
});

describe("a fixed port that is taken", () => {
  test.each([
    ["80", lease("0.0.0.0", 80), "0.0.0.0:80"],
    ["80", lease("::", 80), ":::80"],
    ["80", lease("::1", 80), ":::80"],
    ["127.0.0.1 80", lease("0.0.0.0", 80), "127.0.0.1:80"],
    ["0.0.0.0 80", lease("127.0.0.1", 80), "0.0.0.0:80"],
    ["80/udp", lease("0.0.0.0", 80, "other", "udp"), "0.0.0.0:80"],
    ["80-80", lease("0.0.0.0", 80), "0.0.0.0:80"],
  ])("%s is refused for %o", (text, held, place) => {
    const given = allocate([request("web", text)], leasesOf([held]), policy());
    expect(given).toEqual({
      ok: false,
      error: {
        code: "port-taken",
        holder: "web",
        wish: wish(text),
        hostIp: place.replace(/:80$/, ""),
        lease: held,
        message: `Bind for ${place} failed: port is already allocated`,
      },
    });
  });

  test.each([
    ["80/udp", lease("0.0.0.0", 80)],
    ["127.0.0.1 80", lease("127.0.0.2", 80)],
    ["0.0.0.0 80", lease("::", 80)],
    ["80", lease("0.0.0.0", 81)],
  ])("%s is given beside %o", (text, held) => {
    expect(allocate([request("web", text)], leasesOf([held]), policy()).ok).toBe(true);
  });

  test("names the rival of its own protocol", () => {
    const given = allocate(
      [request("a", "80/udp"), request("b", "80"), request("c", "127.0.0.1 80")],
      NO_LEASES,
      policy(),
    );
    expect(given).toMatchObject({ ok: false, error: { holder: "c", lease: { holder: "b", protocol: "tcp" } } });
  });

  test("names the rival where two wishes of one call collide", () => {
    const rival = { hostIp: "0.0.0.0", hostPort: 80, protocol: "tcp", containerPort: 80, holder: "a" };
    const given = allocate(
      [request("a", "80"), request("b", "80/udp", "127.0.0.2 81", "127.0.0.1 80")],
      NO_LEASES,
      policy(),
    );
    expect(given).toMatchObject({
      ok: false,
      error: { code: "port-taken", holder: "b", hostIp: "127.0.0.1", lease: rival },
    });
    const again = allocate([request("a", "127.0.0.1 80"), request("b", "80")], NO_LEASES, policy());
    expect(again).toMatchObject({
      ok: false,
      error: { holder: "b", hostIp: "0.0.0.0", lease: { hostIp: "127.0.0.1" } },
    });
    expect(outcome([request("a", "::1 80", "::1 80")], [])).toMatchObject({
      message: "Bind for ::1:80 failed: port is already allocated",
    });
  });
});

describe("pools", () => {
  test("take their first free port", () => {
    expect(outcome([request("a", "8000-8002")], [lease("0.0.0.0", 8000), lease("::1", 8001)])).toEqual([
      "0.0.0.0:8002/tcp",
      ":::8002/tcp",
    ]);
  });

  test("of one call share their range", () => {
    expect(outcome([request("a", "8000-8001"), request("b", "8000-8001")], [], policy(V4))).toEqual([
      "0.0.0.0:8000/tcp",
      "0.0.0.0:8001/tcp",
    ]);
  });

  test("fail when their range is held, and name it", () => {
    const held = [lease("0.0.0.0", 8000), lease("0.0.0.0", 8001)];
    expect(allocate([request("a", "8000-8001")], leasesOf(held), policy())).toEqual({
      ok: false,
      error: {
        code: "ports-exhausted",
        holder: "a",
        wish: wish("8000-8001"),
        hostIp: "0.0.0.0",
        lease: undefined,
        message: "Bind for 0.0.0.0:8000-8001 failed: all ports are allocated",
      },
    });
  });

  test("give way to one that ends sooner", () => {
    expect(outcome([request("a", "8000-8009", "8000-8001", "8000-8000")], [], policy(V4))).toEqual([
      "0.0.0.0:8002/tcp",
      "0.0.0.0:8001/tcp",
      "0.0.0.0:8000/tcp",
    ]);
  });

  test("give way however many they are", () => {
    const many = Array.from({ length: 70 }, () => "1-200");
    expect(outcome([request("a", ...many, "1-70")], [], policy(V4))).toHaveLength(71);
  });

  test("more of them than ports fail", () => {
    expect(outcome([request("a", "8000-8001", "8000-8001", "8000-8001")], [])).toMatchObject({
      code: "ports-exhausted",
    });
  });

  test("narrowed to one port by the policy are as that port", () => {
    const rules = policy({ ...V4, permitted: { tcp: set("8001"), udp: NO_PORTS, sctp: NO_PORTS } });
    expect(outcome([request("a", "8000-8009")], [], rules)).toEqual(["0.0.0.0:8001/tcp"]);
    expect(outcome([request("a", "8000-8009", "8001")], [], rules)).toEqual({
      code: "port-taken",
      message: "Bind for 0.0.0.0:8001 failed: port is already allocated",
    });
  });
});

describe("dynamic ports", () => {
  const rules = (more: Partial<PortPolicy<string>> = {}) => policy({ ...V4, dynamic: set("100-103"), ...more });

  test("begin at the seed and go round", () => {
    const given = [0, 1, 3, 4, 5, -1].map((seed) => outcome([request("a", "*")], [], rules({ seed })));
    expect(given.flat()).toEqual(["100", "101", "103", "100", "101", "103"].map((port) => `0.0.0.0:${port}/tcp`));
    expect(outcome([request("a", "*", "*")], [], rules({ seed: 3 }))).toEqual(["0.0.0.0:103/tcp", "0.0.0.0:100/tcp"]);
  });

  test("count their seed over the holes of the range", () => {
    const given = [1, 2, 3].map((seed) =>
      outcome([request("a", "*")], [], rules({ dynamic: set("100-101,110-111"), seed })),
    );
    expect(given.flat()).toEqual(["101", "110", "111"].map((port) => `0.0.0.0:${port}/tcp`));
  });

  test("skip what is held on any of their addresses", () => {
    const held = [lease("0.0.0.0", 100), lease("::", 101), lease("::5", 102)];
    expect(outcome([request("a", "*")], held, rules({ anyAddress: ["0.0.0.0", "::"] }))).toEqual([
      "0.0.0.0:103/tcp",
      ":::103/tcp",
    ]);
  });

  test("skip reserved ports, which can still be asked for", () => {
    const reserved = set("100-101,103");
    expect(outcome([request("a", "*")], [], rules({ reserved }))).toEqual(["0.0.0.0:102/tcp"]);
    expect(outcome([request("a", "100")], [], rules({ reserved }))).toEqual(["0.0.0.0:100/tcp"]);
  });

  test("look nowhere else when none is left", () => {
    const full = [100, 101, 110, 111].map((port) => lease("0.0.0.0", port));
    const holes = rules({ dynamic: set("100-101,110-111"), seed: 3 });
    expect(outcome([request("a", "*")], full, holes)).toMatchObject({ code: "ports-exhausted" });
    expect(outcome([request("a", "*")], full.slice(1), holes)).toEqual(["0.0.0.0:100/tcp"]);
  });

  test("fail when none is left, and name the range", () => {
    const held = [100, 101, 102, 103].map((port) => lease("0.0.0.0", port));
    expect(outcome([request("a", "*")], held, rules())).toEqual({
      code: "ports-exhausted",
      message: "Bind for 0.0.0.0:100-103 failed: all ports are allocated",
    });
  });

  test("fail when the policy has none", () => {
    expect(outcome([request("a", "*")], [], rules({ dynamic: NO_PORTS }))).toEqual({
      code: "port-not-permitted",
      message: "a dynamic tcp port is not permitted; permitted: none",
    });
  });

  test("keep a preferred port where it is free and allowed", () => {
    const prefer = (preferred: number, held: readonly Lease<string>[] = []) =>
      outcome([request("a", wish("*", { preferred }))], held, rules({ reserved: set("103") }));
    expect(prefer(102)).toEqual(["0.0.0.0:102/tcp"]);
    expect(prefer(102, [lease("127.0.0.1", 102)])).toEqual(["0.0.0.0:100/tcp"]);
    expect(prefer(103)).toEqual(["0.0.0.0:100/tcp"]);
    expect(prefer(9)).toEqual(["0.0.0.0:100/tcp"]);
    expect(
      outcome(
        [request("a", wish("8000-8009", { preferred: 8005 }), wish("8000-8009", { preferred: 8005 }))],
        [],
        rules(),
      ),
    ).toEqual(["0.0.0.0:8005/tcp", "0.0.0.0:8000/tcp"]);
  });

  test("come from Linux's own range by default, on both families", () => {
    expect(DEFAULT_PORT_POLICY.anyAddress).toEqual(["0.0.0.0", "::"]);
    expect(formatPortSet(DEFAULT_PORT_POLICY.dynamic)).toBe("32768-60999");
  });
});

describe("what a policy permits", () => {
  const rules = policy({ ...V4, permitted: { tcp: set("80,8000-8002"), udp: ALL_PORTS, sctp: NO_PORTS } });

  test.each([
    ["80", ["0.0.0.0:80/tcp"]],
    ["81/udp", ["0.0.0.0:81/udp"]],
    ["79-81", ["0.0.0.0:80/tcp"]],
    ["81", { code: "port-not-permitted", message: "host port 81/tcp is not permitted; permitted: 80,8000-8002" }],
    ["1-9/sctp", { code: "port-not-permitted", message: "host port 1-9/sctp is not permitted; permitted: none" }],
    ["*", { code: "port-not-permitted", message: "a dynamic tcp port is not permitted; permitted: 80,8000-8002" }],
  ])("%s gives %o", (text, expected) => {
    expect(outcome([request("a", text)], [], rules)).toEqual(expected);
  });

  test("names asker and address", () => {
    const error = { holder: "a", hostIp: "::1", lease: undefined, wish: wish("::1 81") };
    expect(allocate([request("a", "::1 81")], NO_LEASES, rules)).toMatchObject({ ok: false, error });
  });
});

describe("reservations of others", () => {
  const reserved = lease("0.0.0.0", 8000, "ann");
  const rules = policy({ ...V4, reservations: leasesOf([reserved]) });

  test("refuse the port and name whose it is", () => {
    expect(allocate([request("bob", "127.0.0.1 8000")], NO_LEASES, rules)).toMatchObject({
      ok: false,
      error: {
        code: "port-reserved",
        holder: "bob",
        hostIp: "127.0.0.1",
        lease: reserved,
        message: "Bind for 127.0.0.1:8000 failed: port is reserved",
      },
    });
  });

  test("are passed over by pools", () => {
    expect(outcome([request("bob", "8000-8001")], [], rules)).toEqual(["0.0.0.0:8001/tcp"]);
  });
});

test("a port that a foreign process turns out to hold is passed over on the next call", () => {
  const foreign = (hostPort: number) => lease("0.0.0.0", hostPort, "another process");
  const requests = [request("a", "8000-8001", "*")];
  const first = allocate(requests, NO_LEASES, policy(V4));
  expect(first.ok && first.value.map(({ hostPort }) => hostPort)).toEqual([8000, 32_768]);
  const taken = addLeases(leasesOf([foreign(8000)]), [foreign(32_768)]);
  const second = allocate(requests, taken, policy(V4));
  expect(second.ok && second.value.map(({ hostPort }) => hostPort)).toEqual([8001, 32_769]);
  const fixed = allocate([request("a", "8000")], taken, policy(V4));
  expect(fixed).toMatchObject({ ok: false, error: { code: "port-taken", lease: foreign(8000) } });
});

describe("where giving in order misses, a search finds", () => {
  test("a wish for one family moved aside for wishes for both", () => {
    const requests = [request("a", "0.0.0.0 1-3", "1-3", "1-3", "0.0.0.0 1-9", "::1 1-9")];
    const given = outcome(requests, [lease("::", 2)]);
    expect(given).toEqual([
      "0.0.0.0:2/tcp",
      "0.0.0.0:1/tcp",
      ":::1/tcp",
      "0.0.0.0:3/tcp",
      ":::3/tcp",
      "0.0.0.0:4/tcp",
      "::1:4/tcp",
    ]);
  });

  test("a dynamic port moved aside by a range with holes", () => {
    const rules = policy({ ...V4, dynamic: set("1-3"), reserved: set("2") });
    expect(outcome([request("a", "1-3", "*", "*")], [], rules)).toEqual([
      "0.0.0.0:2/tcp",
      "0.0.0.0:1/tcp",
      "0.0.0.0:3/tcp",
    ]);
  });

  test("by taking back what it chose", () => {
    const rules = policy({ dynamic: set("1-5"), reserved: set("3-4") });
    expect(outcome([request("a", "::1 2-5", "::1 *", ":: 5-5", ":: 3-3", "0.0.0.0 3-5", "*")], [], rules)).toEqual([
      "::1:4/tcp",
      "::1:1/tcp",
      ":::5/tcp",
      ":::3/tcp",
      "0.0.0.0:3/tcp",
      "0.0.0.0:2/tcp",
      ":::2/tcp",
    ]);
  });

  test("for each protocol and each address apart", () => {
    const rules = policy({ dynamic: set("1-3"), reserved: set("2") });
    const places = ["127.0.0.1 PORTS", "127.0.0.2 PORTS", "127.0.0.1 PORTS/udp"];
    const wishes = places.flatMap((place) => ["1-3", "*", "*"].map((ports) => place.replace("PORTS", ports)));
    const ports = (place: string) => [2, 1, 3].map((port) => place.replace("_", `${port}`));
    expect(outcome([request("a", ...wishes)], [], rules)).toEqual(
      ["127.0.0.1:_/tcp", "127.0.0.2:_/tcp", "127.0.0.1:_/udp"].flatMap(ports),
    );
  });

  test("among as many as 64 wishes, and no more", () => {
    const rules = policy({ ...V4, dynamic: set("1-3"), reserved: set("2") });
    const others = (count: number) => Array.from({ length: count }, () => "1000-1100");
    expect(outcome([request("a", "1-3", "*", "*", ...others(61))], [], rules)).toHaveLength(64);
    expect(outcome([request("a", "1-3", "*", "*", ...others(62))], [], rules)).toMatchObject({
      code: "ports-exhausted",
    });
    expect(outcome([request("a", "1-3", "*", "*", ...others(61), "5", "6")], [], rules)).toHaveLength(66);
  });

  test("or gives up soon where there is too much to try", () => {
    const rules = policy({ ...V4, dynamic: set("1-30"), reserved: set("2") });
    const pools = Array.from({ length: 31 }, () => "1-30");
    expect(outcome([request("a", ...pools, "*")], [], rules)).toMatchObject({ code: "ports-exhausted" });
  });

  test("a preference gives way, however many wishes there are", () => {
    const others = Array.from({ length: 70 }, () => "1000-1100");
    const wishes = [wish("1-2", { preferred: 2 }), wish("2-3", { preferred: 3 }), "2-3", ...others];
    expect(outcome([request("a", ...wishes)], [], policy(V4))).toHaveLength(73);
  });

  test("a preference gives way", () => {
    const requests = [request("a", wish("1-2", { preferred: 2 }), wish("2-3", { preferred: 3 }), "2-3")];
    expect(outcome(requests, [], policy(V4))).toEqual(["0.0.0.0:1/tcp", "0.0.0.0:2/tcp", "0.0.0.0:3/tcp"]);
  });
});

describe("many at once", () => {
  const rules = policy({ ...V4, dynamic: set("1-2000") });
  const fill = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

  test("a container may publish thousands of ports", () => {
    const wishes = fill(5_000).map((port) => wish(`${port}`));
    expect(allocate([{ holder: "a", wishes }], NO_LEASES, rules)).toMatchObject({ ok: true, value: { length: 5_000 } });
  });

  test("the last free port of a full range is found", () => {
    const full = fill(2_000).filter((port) => port !== 4);
    const held = full.map((port) => lease("0.0.0.0", port));
    expect(outcome([request("a", "127.0.0.1 *")], held, { ...rules, seed: 5 })).toEqual(["127.0.0.1:4/tcp"]);
  });

  test("more dynamic wishes than ports fail without a search", () => {
    const wishes = fill(2_001).map(() => wish("*"));
    expect(allocate([{ holder: "a", wishes }], NO_LEASES, rules)).toMatchObject({
      ok: false,
      error: { code: "ports-exhausted" },
    });
  });
});
