import { expect, test } from "vitest";
import { readRequest } from "./read-request.ts";

function namesAndPorts(text: string) {
  const read = readRequest(text);
  if (!read.ok) throw new Error(read.error);
  return read.value.map(({ name, facts }) => [name, facts.ports.map(({ hostPort }) => hostPort)]);
}

test.each([
  ["docker run -p 8080:80 nginx", "nginx"],
  ["$ sudo docker run \\\n  --name web -p 8080:80 \\\n  nginx", "web"],
  ["podman run -p 8080:80 nginx", "nginx"],
  ["run -p 8080:80 nginx", "nginx"],
])("reads the line %j", (line, name) => expect(namesAndPorts(line)).toEqual([[name, [{ start: 8080, end: 8080 }]]]));

test("reads every service of a compose file", () => {
  const file = "services:\n  web:\n    image: nginx\n    ports: ['8080:80']\n  db:\n    image: postgres\n";
  expect(namesAndPorts(file)).toEqual([
    ["web", [{ start: 8080, end: 8080 }]],
    ["db", []],
  ]);
});

test.each(["", "docker ps", "run 'x", "services: [", "a: 1", "run -p x:y nginx"])(
  "says what is wrong with %j",
  (text) => expect(readRequest(text)).toMatchObject({ ok: false, error: expect.stringMatching(/./) }),
);
