import { describe, expect, it } from "vitest";
import { planIptables, planRemoval } from "./iptables-plan.ts";

const BRIDGES = { all: ["berth0"], named: [] };
const NONE = { all: [], named: [] };
const DOCKER = ["-P INPUT ACCEPT", "-P FORWARD DROP", "-N DOCKER-USER", "-A FORWARD -j DOCKER-USER"];
const FILLED = ["-N BERTH-FORWARD", "-A BERTH-FORWARD -i berth0 -j ACCEPT", "-A BERTH-FORWARD -o berth0 -j ACCEPT"];
const FILL = [":BERTH-FORWARD - [0:0]", ...FILLED.slice(1)];

function plan(...rules: readonly string[]) {
  return planIptables(rules.join("\n"), "berth", BRIDGES);
}

describe("a plan for iptables", () => {
  it.each([
    ["accepts by its policy", ["-P INPUT ACCEPT", "-P FORWARD ACCEPT"]],
    ["refuses some packets only", ["-P FORWARD ACCEPT", "-A FORWARD -i eth1 -j DROP"]],
    [
      "has the accepts already",
      ["-P FORWARD DROP", "-A FORWARD -i berth0 -j ACCEPT", "-A FORWARD -o berth0 -j ACCEPT"],
    ],
    ["is as it should be", [...DOCKER, ...FILLED, "-A DOCKER-USER -j BERTH-FORWARD", "-A DOCKER-USER -j RETURN"]],
  ])("changes nothing where FORWARD %s", (_what, rules) => {
    expect(plan(...rules)).toEqual({ refused: [], commands: [] });
  });

  it.each([
    ["an empty chain", [], "-A DOCKER-USER -j BERTH-FORWARD"],
    [
      "a chain that returns",
      ["-A DOCKER-USER -s 10.0.0.1/32 -j DROP", "-A DOCKER-USER -j RETURN"],
      "-I DOCKER-USER 2 -j BERTH-FORWARD",
    ],
    ["rules without a return", ["-A DOCKER-USER -s 10.0.0.1/32 -j DROP"], "-A DOCKER-USER -j BERTH-FORWARD"],
  ])("jumps behind the administrator's rules in %s", (_what, rules, jump) => {
    expect(plan(...DOCKER, ...rules).commands).toEqual(["*filter", ...FILL, jump, "COMMIT"]);
  });

  it("moves its jump behind rules that came later", () => {
    const rules = ["-A DOCKER-USER -j BERTH-FORWARD", "-A DOCKER-USER -j DROP"];
    expect(plan(...DOCKER, ...FILLED, ...rules).commands).toEqual([
      "*filter",
      "-D DOCKER-USER -j BERTH-FORWARD",
      "-A DOCKER-USER -j BERTH-FORWARD",
      "COMMIT",
    ]);
  });

  it("refills a chain whose bridges changed, also with none", () => {
    const rules = [...DOCKER, ...FILLED, "-A DOCKER-USER -j BERTH-FORWARD"];
    expect(planIptables(rules.join("\n"), "berth", { all: ["berth0", "br-1"], named: [] }).commands).toEqual([
      "*filter",
      ...FILL,
      "-A BERTH-FORWARD -i br-1 -j ACCEPT",
      "-A BERTH-FORWARD -o br-1 -j ACCEPT",
      "COMMIT",
    ]);
    expect(planIptables(rules.join("\n"), "berth", NONE).commands).toEqual([]);
  });

  it.each(["-P FORWARD DROP", "-A FORWARD -j REJECT --reject-with icmp-port-unreachable", "-A FORWARD -j DROP"])(
    "leaves %s to the administrator where no chain is for others",
    (rule) => {
      expect(plan("-N DOCKER-USER", rule)).toEqual({ refused: ["FORWARD"], commands: [] });
    },
  );

  it("takes away every jump and both chains, and nothing of others", () => {
    const rules = [...DOCKER, ...FILLED, "-N BERTH-INPUT", "-A DOCKER-USER -j BERTH-FORWARD", "-A x -j BERTH-INPUT"];
    expect(planRemoval(rules.join("\n"), "berth")).toEqual([
      "*filter",
      "-D DOCKER-USER -j BERTH-FORWARD",
      "-F BERTH-FORWARD",
      "-X BERTH-FORWARD",
      "-D x -j BERTH-INPUT",
      "-F BERTH-INPUT",
      "-X BERTH-INPUT",
      "COMMIT",
    ]);
    expect(planRemoval(DOCKER.join("\n"), "berth")).toEqual([]);
  });
});
