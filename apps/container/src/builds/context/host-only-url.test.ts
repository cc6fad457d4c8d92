import { expect, it } from "vitest";
import { isHostOnlyUrl } from "./host-only-url.ts";

it.each([
  "http://127.0.0.1/x",
  "http://127.9.8.7:80/x",
  "http://2130706433/x",
  "http://0x7f.1/x",
  "http://0.0.0.0/x",
  "http://localhost:1/x",
  "http://LOCALHOST./x",
  "http://any.localhost/x",
  "http://[::1]/x",
  "http://[::ffff:127.0.0.1]/x",
  "http://169.254.169.254/latest",
  "http://[fe80::1]/x",
  "http://user@127.0.0.1/x",
  "ftp://127.0.0.1/x",
])("%s is an address of the host alone", (url) => expect(isHostOnlyUrl(url)).toBe(true));

it.each(["http://10.0.0.1/x", "https://example.com/127.0.0.1", "http://[2001:db8::1]/", "not a URL", ""])(
  "%s is not",
  (url) => expect(isHostOnlyUrl(url)).toBe(false),
);
