import { expect, it } from "vitest";
import { isIgnored } from "./ignore.ts";

it.each([
  ["", "Dockerfile", false],
  ["Dockerfile", "Dockerfile", true],
  ["/Dockerfile/", "Dockerfile", true],
  ["# Dockerfile", "Dockerfile", false],
  ["*", "Dockerfile", true],
  ["*\n!Dockerfile", "Dockerfile", false],
  ["!Dockerfile\n*", "Dockerfile", true],
  ["docker", "docker/Dockerfile", true],
  ["docker/*", "docker/Dockerfile", true],
  ["*/Dockerfile", "Dockerfile", false],
  ["**/Dockerfile", "Dockerfile", true],
  ["**/Dockerfile", "a/b/Dockerfile", true],
  ["a/**", "a/b/Dockerfile", true],
  ["a/**/c", "a/c", true],
  ["D?cker[fF]ile", "DockerFile", true],
  ["[", "[", false],
  ["..", "Dockerfile", false],
  [`${"*".repeat(200)}x`, "a".repeat(200), false],
])("%j ignores %j: %s", (file, path, ignored) => expect(isIgnored(file, path)).toBe(ignored));
