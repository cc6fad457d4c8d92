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

function request(holder: string, ...wishes: readonly (string | PortWish)[]): PortWishes<string> {
  return {
    holder,
    wishes: wishes.map((one) => (typeof one === "string" ? wish(one) : one)),
  };
}

function lease(
  hostIp: string,
  hostPort: number,
  holder = "other",
  protocol: HostEndpoint["protocol"] = "tcp",
): Lease<string> {
  return {
    hostIp,
    hostPort,
    protocol,
    holder,
  };
}

function set(text: string) {
  const parsed = parsePortSet(text);
  return parsed.ok ? parsed.value : NO_PORTS;
}
function policy(more: Partial<PortPolicy<string>> = {}): PortPolicy<string> {
  return { ...DEFAULT_PORT_POLICY, ...more };
}
const V4 = { anyAddress: ["0.0.0.0"] };

/** The host ports given, by `ip:port/protocol`, or the conflict in short. */
function outcome(requests: readonly PortWishes<string>[], taken: readonly Lease<string>[], rules = policy()) {
  const given = allocate(requests, leasesOf(taken), rules);
  if (given.ok) return given.value.map(({ hostIp, hostPort, protocol }) => `${hostIp}:${hostPort}/${protocol}`);
  return { code: given.error.code, message: given.error.message };
}

describe("allocate", () => {
  test("assigns a wish for every interface the same port on each address, with its holder", () => {
    expect(allocate([request("web", wish("8080", { containerPort: 443 }))], NO_LEASES, policy())).toEqual({
      ok: true,
      value: [
        { hostIp: "0.0.0.0", hostPort: 8080, protocol: "tcp", containerPort: 443, holder: "web" },
        { hostIp: "::", hostPort: 8080, protocol: "tcp", containerPort: 443, holder: "web" },
      ],
    });
  });

  test("returns assignments in the order of requests and wishes", () => {
    const requests = [request("a", "::1 *", "127.0.0.1 8000-8001", "127.0.0.1 8000"), request("b", "127.0.0.1 9000")];
    expect(outcome(requests, [])).toEqual([
      "::1:32768/tcp",
      "127.0.0.1:8001/tcp",
      "127.0.0.1:8000/tcp",
      "127.0.0.1:9000/tcp",
    ]);
  });

  test("returns no assignments for no wishes", () => {
    expect(outcome([], [])).toEqual([]);
    expect(outcome([request("a")], [])).toEqual([]);
  });

  test("assigns nothing to a wish for every interface if the policy has no address", () => {
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
  ])("%s conflicts with %o", (text, held, place) => {
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
  ])("%s is assigned beside %o", (text, held) => {
    expect(allocate([request("web", text)], leasesOf([held]), policy()).ok).toBe(true);
  });

  test("names the conflicting wish of the same protocol", () => {
    const given = allocate(
      [request("a", "80/udp"), request("b", "80"), request("c", "127.0.0.1 80")],
      NO_LEASES,
      policy(),
    );
    expect(given).toMatchObject({ ok: false, error: { holder: "c", lease: { holder: "b", protocol: "tcp" } } });
  });

  test("names the conflicting wish of the same call", () => {
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
  test("get the first free port of their range", () => {
    expect(outcome([request("a", "8000-8002")], [lease("0.0.0.0", 8000), lease("::1", 8001)])).toEqual([
      "0.0.0.0:8002/tcp",
      ":::8002/tcp",
    ]);
  });

  test("of one call share a range", () => {
    expect(outcome([request("a", "8000-8001"), request("b", "8000-8001")], [], policy(V4))).toEqual([
      "0.0.0.0:8000/tcp",
      "0.0.0.0:8001/tcp",
    ]);
  });

  test("fail if their whole range is held; the message names the range", () => {
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

  test("move aside for a pool that ends earlier", () => {
    expect(outcome([request("a", "8000-8009", "8000-8001", "8000-8000")], [], policy(V4))).toEqual([
      "0.0.0.0:8002/tcp",
      "0.0.0.0:8001/tcp",
      "0.0.0.0:8000/tcp",
    ]);
  });

  test("move aside beyond the limit of the search", () => {
    const many = Array.from({ length: 70 }, () => "1-200");
    expect(outcome([request("a", ...many, "1-70")], [], policy(V4))).toHaveLength(71);
  });

  test("fail if there are more pools than ports", () => {
    expect(outcome([request("a", "8000-8001", "8000-8001", "8000-8001")], [])).toMatchObject({
      code: "ports-exhausted",
    });
  });

  test("behave as a fixed port if the policy permits a single port of the range", () => {
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

  test("start at the seed and wrap around", () => {
    const given = [0, 1, 3, 4, 5, -1].map((seed) => outcome([request("a", "*")], [], rules({ seed })));
    expect(given.flat()).toEqual(["100", "101", "103", "100", "101", "103"].map((port) => `0.0.0.0:${port}/tcp`));
    expect(outcome([request("a", "*", "*")], [], rules({ seed: 3 }))).toEqual(["0.0.0.0:103/tcp", "0.0.0.0:100/tcp"]);
  });

  test("count the seed across holes of the range", () => {
    const given = [1, 2, 3].map((seed) =>
      outcome([request("a", "*")], [], rules({ dynamic: set("100-101,110-111"), seed })),
    );
    expect(given.flat()).toEqual(["101", "110", "111"].map((port) => `0.0.0.0:${port}/tcp`));
  });

  test("skip ports held on any of their addresses", () => {
    const held = [lease("0.0.0.0", 100), lease("::", 101), lease("::5", 102)];
    expect(outcome([request("a", "*")], held, rules({ anyAddress: ["0.0.0.0", "::"] }))).toEqual([
      "0.0.0.0:103/tcp",
      ":::103/tcp",
    ]);
  });

  test("skip reserved ports, which remain available on request", () => {
    const reserved = set("100-101,103");
    expect(outcome([request("a", "*")], [], rules({ reserved }))).toEqual(["0.0.0.0:102/tcp"]);
    expect(outcome([request("a", "100")], [], rules({ reserved }))).toEqual(["0.0.0.0:100/tcp"]);
  });

  test("never leave the dynamic range", () => {
    const full = [100, 101, 110, 111].map((port) => lease("0.0.0.0", port));
    const holes = rules({ dynamic: set("100-101,110-111"), seed: 3 });
    expect(outcome([request("a", "*")], full, holes)).toMatchObject({ code: "ports-exhausted" });
    expect(outcome([request("a", "*")], full.slice(1), holes)).toEqual(["0.0.0.0:100/tcp"]);
  });

  test("fail if no port is left; the message names the range", () => {
    const held = [100, 101, 102, 103].map((port) => lease("0.0.0.0", port));
    expect(outcome([request("a", "*")], held, rules())).toEqual({
      code: "ports-exhausted",
      message: "Bind for 0.0.0.0:100-103 failed: all ports are allocated",
    });
  });

  test("fail if the policy has no dynamic range", () => {
    expect(outcome([request("a", "*")], [], rules({ dynamic: NO_PORTS }))).toEqual({
      code: "port-not-permitted",
      message: "a dynamic tcp port is not permitted; permitted: none",
    });
  });

  test("get a preferred port if it is free and permitted", () => {
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

describe("permitted ports", () => {
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

  test("the conflict names holder and address", () => {
    const error = { holder: "a", hostIp: "::1", lease: undefined, wish: wish("::1 81") };
    expect(allocate([request("a", "::1 81")], NO_LEASES, rules)).toMatchObject({ ok: false, error });
  });
});

describe("reservations", () => {
  const reserved = lease("0.0.0.0", 8000, "ann");
  const rules = policy({ ...V4, reservations: leasesOf([reserved]) });

  test("exclude a fixed port; the conflict names their holder", () => {
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

  test("are skipped by dynamic wishes", () => {
    const dynamic = set("8000-8001");
    expect(outcome([request("bob", "*")], [], { ...rules, dynamic })).toEqual(["0.0.0.0:8001/tcp"]);
  });

  test("exclude nothing on another address or protocol", () => {
    const local = policy({ ...V4, reservations: leasesOf([lease("127.0.0.1", 8000, "ann")]) });
    expect(outcome([request("bob", "127.0.0.2 8000")], [], local)).toEqual(["127.0.0.2:8000/tcp"]);
    expect(outcome([request("bob", "8000/udp")], [], rules)).toEqual(["0.0.0.0:8000/udp"]);
    expect(outcome([request("bob", "8000")], [], local)).toMatchObject({ code: "port-reserved" });
  });

  test("come after leases in a conflict", () => {
    const held = lease("0.0.0.0", 8000, "web");
    expect(outcome([request("bob", "8000")], [held], rules)).toMatchObject({ code: "port-taken" });
  });

  test("are skipped by pools", () => {
    expect(outcome([request("bob", "8000-8001")], [], rules)).toEqual(["0.0.0.0:8001/tcp"]);
  });
});

test("the next call skips a port that another process turned out to hold", () => {
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

describe("the search succeeds where assigning in order fails", () => {
  test("for wishes for one family among wishes for both", () => {
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

  test("for a dynamic range with holes", () => {
    const rules = policy({ ...V4, dynamic: set("1-3"), reserved: set("2") });
    expect(outcome([request("a", "1-3", "*", "*")], [], rules)).toEqual([
      "0.0.0.0:2/tcp",
      "0.0.0.0:1/tcp",
      "0.0.0.0:3/tcp",
    ]);
  });

  test("by backtracking", () => {
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

  test("separately for each protocol and address", () => {
    const rules = policy({ dynamic: set("1-3"), reserved: set("2") });
    const places = ["127.0.0.1 PORTS", "127.0.0.2 PORTS", "127.0.0.1 PORTS/udp"];
    const wishes = places.flatMap((place) => ["1-3", "*", "*"].map((ports) => place.replace("PORTS", ports)));
    const ports = (place: string) => [2, 1, 3].map((port) => place.replace("_", `${port}`));
    expect(outcome([request("a", ...wishes)], [], rules)).toEqual(
      ["127.0.0.1:_/tcp", "127.0.0.2:_/tcp", "127.0.0.1:_/udp"].flatMap(ports),
    );
  });

  test("for up to 64 wishes", () => {
    const rules = policy({ ...V4, dynamic: set("1-3"), reserved: set("2") });
    const others = (count: number) => Array.from({ length: count }, () => "1000-1100");
    expect(outcome([request("a", "1-3", "*", "*", ...others(61))], [], rules)).toHaveLength(64);
    expect(outcome([request("a", "1-3", "*", "*", ...others(62))], [], rules)).toMatchObject({
      code: "ports-exhausted",
    });
    expect(outcome([request("a", "1-3", "*", "*", ...others(61), "5", "6")], [], rules)).toHaveLength(66);
  });

  test("or stops at its bound", () => {
    const rules = policy({ ...V4, dynamic: set("1-30"), reserved: set("2") });
    const pools = Array.from({ length: 31 }, () => "1-30");
    expect(outcome([request("a", ...pools, "*")], [], rules)).toMatchObject({ code: "ports-exhausted" });
  });

  test("without a preferred port, beyond the limit of the search", () => {
    const others = Array.from({ length: 70 }, () => "1000-1100");
    const wishes = [wish("1-2", { preferred: 2 }), wish("2-3", { preferred: 3 }), "2-3", ...others];
    expect(outcome([request("a", ...wishes)], [], policy(V4))).toHaveLength(73);
  });

  test("without a preferred port", () => {
    const requests = [request("a", wish("1-2", { preferred: 2 }), wish("2-3", { preferred: 3 }), "2-3")];
    expect(outcome(requests, [], policy(V4))).toEqual(["0.0.0.0:1/tcp", "0.0.0.0:2/tcp", "0.0.0.0:3/tcp"]);
  });
});

describe("many wishes", () => {
  const rules = policy({ ...V4, dynamic: set("1-2000") });
  const fill = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

  test("a container can publish thousands of ports", () => {
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
