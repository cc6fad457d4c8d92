import { expect, test } from "vitest";
import { validatePassword } from "./rules.ts";

const ANN = { minLength: 15, login: "ann", email: "ann.lee@example.test" };
const EASY = "is easy to guess; avoid common passwords, repetition, sequences and your own names";

test.each([
  "aaaaaaaaaaaaaaa",
  "123456789012345",
  "passwordpassword",
  "passwordpassword1",
  "qwertyuiopasdfgh",
  "iloveyouiloveyou",
  "Password12345678",
  "changemechangeme",
  "P@ssw0rdP@ssw0rd",
  "ｐａｓｓｗｏｒｄｐａｓｓｗｏｒｄ",
  "letmeinletmeinletmein",
  "abcdefghijklmnop",
  "hunter2hunter2hunter2",
  "123456789qwerty",
  "annannannann1234",
  "ann.lee@example.test",
  "berthberthberth12",
  " ".repeat(15),
  "x".repeat(256),
  "🐎".repeat(256),
  "🐎🔋📎✅".repeat(4),
  "password".repeat(32),
])("%s is refused as easy to guess", async (pass) => expect(await validatePassword(pass, ANN)).toBe(EASY));

test.each([
  "correct horse 1",
  "another horse 22",
  "4f7Zq!mW9rT2#xLp",
  "correct\0horse battery",
  "Жора гуляет по Невскому",
  "🐎 🔋 correct battery 📎 ✅",
  `${"vJ8 kettle of purple fish, ".repeat(9)}x`,
])("%s is accepted", async (pass) => expect(await validatePassword(pass, ANN)).toBeUndefined());

test.each([
  ["correct horse ", "must have at least 15 characters"],
  ["x".repeat(257), "must have at most 256 characters and 1024 bytes"],
])("%s: %s", async (pass, fault) => expect(await validatePassword(pass, ANN)).toBe(fault));
