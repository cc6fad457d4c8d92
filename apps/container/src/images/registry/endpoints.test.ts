import { expect, test } from "vitest";
import { endpointsOf } from "./endpoints.ts";

const CONFIG = {
  mirrors: ["https://mirror.example.com/", "http://10.0.0.1:5000"],
  insecure: ["plain.example.com:5000", "10.1.0.0/16", "fd00::/8"],
};
const HUB = { url: "https://registry-1.docker.io", mirror: false, insecure: false, listed: false };

test.each([
  [
    "docker.io",
    "pull",
    [
      { url: "https://mirror.example.com", mirror: true, insecure: false, listed: true },
      { url: "http://10.0.0.1:5000", mirror: true, insecure: true, listed: true },
      HUB,
    ],
  ],
  ["docker.io", "push", [HUB]],
  ["example.com", "pull", [{ url: "https://example.com", mirror: false, insecure: false, listed: false }]],
] as const)("%s for %s", (domain, use, endpoints) => expect(endpointsOf(domain, CONFIG, use)).toEqual(endpoints));

test.each([
  ["127.0.0.1:5000", true],
  ["127.9.9.9", true],
  ["localhost", true],
  ["localhost:5000", true],
  ["[::1]:5000", true],
  ["plain.example.com:5000", true],
  ["plain.example.com", false],
  ["10.1.2.3:5000", true],
  ["10.2.2.3:5000", false],
  ["[fd00::1]:5000", true],
  ["localhost.example.com", false],
  ["127.0.0.1.example.com", false],
])("%s may be contacted without a certificate: %s", (domain, insecure) => {
  const urls = endpointsOf(domain, CONFIG, "pull").map(({ url }) => url);
  expect(urls).toEqual(insecure ? [`https://${domain}`, `http://${domain}`] : [`https://${domain}`]);
});

test.each([
  ["127.0.0.1:5000", false],
  ["localhost:5000", false],
  ["plain.example.com:5000", true],
  ["10.1.2.3:5000", true],
  ["example.com", false],
])("%s is listed: %s", (domain, listed) =>
  expect(endpointsOf(domain, CONFIG, "pull").map((endpoint) => endpoint.listed)).not.toContain(!listed),
);
