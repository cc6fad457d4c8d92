import { expect, it } from "vitest";
import { createLog, logDestination } from "./log.ts";

function logged(fields: object): string {
  const lines: string[] = [];
  createLog("a test", { level: "info", destination: { write: (line) => void lines.push(line) } }).error(
    fields,
    "fault",
  );
  return lines.join("");
}

it("logs an error with its causes and stack, without the parameters of a statement", () => {
  const cause = Object.assign(new Error("duplicate key"), { code: "23505" });
  const text = logged({ err: new Error("Failed query: insert … values ($1)\nparams: hash-of-ann", { cause }) });
  expect(text).not.toContain("hash-of-ann");
  expect(JSON.parse(text)).toMatchObject({
    service: "a test",
    msg: "fault",
    err: { message: "Failed query: insert … values ($1)", cause: { code: "23505", message: "duplicate key" } },
  });
  expect(JSON.parse(text).err.stack[0]).toContain("log.test.ts");
});

it.each(["a secret", { pass: "a secret" }, null])("keeps a thrown %j to itself", (thrown) =>
  expect(logged({ err: thrown })).not.toContain("a secret"),
);

it.each(["pass", "password", "token", "authorization"])("leaves out what is called %s", (name) =>
  expect(logged({ sent: { [name]: "a secret" } })).not.toContain("a secret"),
);

it("goes on where no line can be written", () => {
  const log = createLog("a test", { level: "info", destination: logDestination("/dev/full") });
  for (let line = 0; line < 3; line++) expect(() => log.error({}, "a fault")).not.toThrow();
});
