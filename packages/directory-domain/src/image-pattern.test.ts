import fc from "fast-check";
import { expect, test } from "vitest";
import {
  fullImageName,
  fullImagePattern,
  imagePatternsOverlap,
  matchesImage,
  matchesPattern,
  patternsOverlap,
} from "./image-pattern.ts";

test.each([
  ["*", "docker.io/library/nginx:latest", true],
  ["docker.io/*", "docker.io/library/nginx:latest", true],
  ["docker.io/library/nginx:*", "docker.io/library/nginx-evil:latest", false],
  ["*/nginx:1.*", "docker.io/library/nginx:1.27", true],
  ["nginx", "nginx", true],
  ["nginx", "nginx2", false],
  ["", "", true],
  ["a*b*c", "abc", true],
  ["a*b*c", "acb", false],
  ["n.inx", "nginx", false],
])("%s matches %s: %s", (pattern, text, expected) => expect(matchesPattern(pattern, text)).toBe(expected));

test("many stars against a long text end", () => {
  expect(matchesPattern(`${"a*".repeat(8)}b`, "a".repeat(100_000))).toBe(false);
});

test.each([
  ["nginx", "docker.io/library/nginx"],
  ["nginx*", "docker.io/library/nginx*"],
  ["nginx:1.*", "docker.io/library/nginx:1.*"],
  ["acme/*", "docker.io/acme/*"],
  ["docker.io/nginx", "docker.io/library/nginx"],
  ["docker.io/nginx:*", "docker.io/library/nginx:*"],
  ["index.docker.io/acme/app", "docker.io/acme/app"],
  ["docker.io/*", "docker.io/*"],
  ["docker.io/nginx*", "docker.io/nginx*"],
  ["ghcr.io/acme/*", "ghcr.io/acme/*"],
  ["ghcr.io*", "ghcr.io*"],
  ["localhost/app", "localhost/app"],
  ["registry:5000/app", "registry:5000/app"],
  ["gh*/acme", "gh*/acme"],
  ["*nginx", "*nginx"],
  ["*", "*"],
  ["sha256:47a4*", "sha256:47a4*"],
])("the pattern %s is %s in full", (short, full) => {
  expect(fullImagePattern(short)).toBe(full);
  expect(fullImagePattern(full)).toBe(full);
});

test.each([
  ["nginx", "docker.io/library/nginx:latest"],
  ["nginx:1.27", "docker.io/library/nginx:1.27"],
  ["acme/app", "docker.io/acme/app:latest"],
  ["localhost:5000/app", "localhost:5000/app:latest"],
  ["acme/app@sha256:00", "docker.io/acme/app@sha256:00"],
  ["sha256:00", "sha256:00"],
])("the image %s is %s in full", (short, full) => {
  expect(fullImageName(short)).toBe(full);
  expect(fullImageName(full)).toBe(full);
});

test.each([
  ["docker.io/library/nginx", "docker.io/library/nginx:1.27", true],
  ["docker.io/library/nginx", "docker.io/library/nginx@sha256:00", true],
  ["docker.io/library/nginx", "docker.io/library/nginx-evil:1", false],
  ["docker.io/library/nginx:1.27", "docker.io/library/nginx:1.27@sha256:00", false],
  ["*/nginx", "docker.io/library/nginx:1.27", true],
  ["registry:5000/app", "registry:5000/app:2", true],
])("%s stands for %s: %s", (pattern, name, expected) => expect(matchesImage(pattern, name)).toBe(expected));

test.each([
  ["docker.io/*", "ghcr.io/*", false],
  ["docker.io/library/*", "*:latest", true],
  ["docker.io/library/nginx", "*:latest", true],
  ["docker.io/library/nginx", "*@sha256:*", true],
  ["docker.io/library/nginx:1", "*:latest", false],
])("%s and %s share an image: %s", (a, b, expected) => {
  expect(imagePatternsOverlap(a, b)).toBe(expected);
  expect(imagePatternsOverlap(b, a)).toBe(expected);
});

test("patterns overlap exactly when a short text matches both", () => {
  const pattern = fc.array(fc.constantFrom("a", "b", "*"), { maxLength: 4 }).map((letters) => letters.join(""));
  const texts = [""];
  // A text of four letters from each pattern is as long as any that the two need.
  for (let at = 0; at < texts.length && (texts[at]?.length ?? 0) < 8; at++)
    texts.push(`${texts[at]}a`, `${texts[at]}b`);
  fc.assert(
    fc.property(pattern, pattern, (a, b) => {
      expect(patternsOverlap(a, b)).toBe(texts.some((text) => matchesPattern(a, text) && matchesPattern(b, text)));
    }),
  );
});
