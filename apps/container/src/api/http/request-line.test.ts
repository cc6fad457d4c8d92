import { describe, expect, test } from "vitest";
import { repairRequestLine } from "./request-line.ts";

describe("repairRequestLine", () => {
  test.each([
    ["GET http:/info HTTP/1.0\r\n\r\n", "GET /info HTTP/1.0\r\n\r\n"],
    ["DELETE https:/x HTTP/1.0\r\n", "DELETE /x HTTP/1.0\r\n"],
    ["GET http:/info HTTP/1.0\r\n\r\nGET http:/x", "GET /info HTTP/1.0\r\n\r\nGET http:/x"],
  ])("drops a scheme that no host follows: %j", (given, right) => {
    expect(repairRequestLine(Buffer.from(given)).toString()).toBe(right);
  });

  test.each([
    "GET /info HTTP/1.1\r\n",
    "GET http://docker/info HTTP/1.1\r\n",
    "GET http:// HTTP/1.1",
    "",
    "\x16\x03\x01",
    "GET",
  ])("leaves %j as it is", (given) => {
    expect(repairRequestLine(Buffer.from(given, "latin1")).toString("latin1")).toBe(given);
  });
});
