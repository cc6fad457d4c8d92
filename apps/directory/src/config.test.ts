import { expect, test } from "vitest";
import { readConfig } from "./config.ts";

test("every invalid setting is named at once, with what it has to be", () => {
  const env = {
    BERTH_DIRECTORY_LISTEN: "7780",
    BERTH_AUDIT_DAYS: "0",
    BERTH_DIRECTORY_CONNECTIONS: "many",
    BERTH_DIRECTORY_TLS_KEY: "key.pem",
    BERTH_DIRECTORY_TLS_CRL: "crl.pem",
  };
  expect(() => readConfig(env)).toThrow(
    expect.objectContaining({
      faults: [
        expect.stringMatching(/^BERTH_DIRECTORY_LISTEN: want host:port/),
        "BERTH_DIRECTORY_CONNECTIONS: want a whole number from 2 to 100",
        "BERTH_AUDIT_DAYS: want a whole number from 1 to 36500",
        "BERTH_DIRECTORY_TLS_CERT: is missing: the file of the server's certificate",
        "BERTH_DIRECTORY_TLS_CA: is missing: the CA whose list BERTH_DIRECTORY_TLS_CRL is",
      ],
    }),
  );
});

test("a setting that is set to nothing has its default", () => {
  expect(readConfig({ DATABASE_URL: "", BERTH_AUDIT_DAYS: "" })).toMatchObject({
    databaseUrl: "postgres://berth@%2Frun%2Fberth%2Fpostgres/berth",
    auditDays: 365,
  });
});

test("a public address is an origin, whose name is answered", () => {
  const config = readConfig({ BERTH_DIRECTORY_PUBLIC_URL: "https://Directory.example.com/" });
  expect(config.publicOrigin).toBe("https://directory.example.com");
  expect(config.hosts).toContain("directory.example.com");
  for (const text of ["directory.example.com", "https://directory.example.com/berth", "ftp://x", "https://a@b"])
    expect(() => readConfig({ BERTH_DIRECTORY_PUBLIC_URL: text })).toThrow("BERTH_DIRECTORY_PUBLIC_URL: want");
});
