import { expect, it } from "vitest";
import { runCommand } from "../command.ts";
import { rulesetCommands } from "../filter/ruleset.ts";
import { hostRules } from "./refusing-chain.ts";

const NETWORK = {
  bridge: "br-a",
  subnets: ["10.1.0.0/24"],
  subnets6: ["fd00:1::/64"],
  internal: false,
  isolated: false,
  masquerade: true,
  separatesOwners: true,
  modes: { ipv4: "nat", ipv6: "nat" },
  addressless: false,
} as const;
const DROPPING =
  "add table inet mine\nadd chain inet mine wall { type filter hook forward priority 0; policy drop; }\n";

it.each([
  ["none", []],
  ["one", [NETWORK]],
])("takes the chains of a Berth beside it for no refusing ones: networks %s", async (_, networks) => {
  const script = `${rulesetCommands("beside", networks, ["192.0.2.53"]).join("\n")}\n${DROPPING}`;
  const all = await runCommand("unshare", ["--net", "sh", "-c", "nft -f - && nft -j -t list ruleset"], script);
  expect(hostRules(all, "berth").refusing).toEqual([{ family: "inet", table: "mine", name: "wall", hook: "forward" }]);
});
