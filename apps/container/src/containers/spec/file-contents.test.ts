import { expect, it } from "vitest";
import { resolvConfFile } from "./file-contents.ts";

const PLAIN = { hostConfig: { Dns: [], DnsOptions: [], DnsSearch: [] } };
const ASKED = { hostConfig: { Dns: ["192.0.2.9"], DnsOptions: ["rotate"], DnsSearch: ["corp"] } };
const HOST = {
  resolvConf: "nameserver 127.0.0.53\nsearch lan\n",
  sandboxResolvConf: "nameserver 192.0.2.1\nnameserver 127.0.0.1\nsearch lan\n",
};

it.each([
  ["the default network has the host's servers beyond its loopback", PLAIN, undefined, "192.0.2.1", "lan", ""],
  ["a network with a name service has that alone", PLAIN, "172.20.0.1", "172.20.0.1", "lan", "ndots:0"],
  ["the request decides on the default network", ASKED, undefined, "192.0.2.9", "corp", "rotate"],
  ["the name service asks the servers of the request", ASKED, "172.20.0.1", "172.20.0.1", "corp", "rotate ndots:0"],
] as const)("%s", (_, container, nameserver, server, search, options) => {
  expect(resolvConfFile(container, HOST, { nameserver })).toBe(
    `nameserver ${server}\nsearch ${search}\n${options === "" ? "" : `options ${options}\n`}`,
  );
});

it("is the host's own on the host's network, loopback included", () => {
  expect(resolvConfFile(PLAIN, HOST, "host")).toBe(HOST.resolvConf);
  expect(resolvConfFile(ASKED, HOST, "host")).toBe("nameserver 192.0.2.9\nsearch corp\noptions rotate\n");
});
