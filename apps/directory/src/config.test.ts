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

test("a provider is named in full, and over HTTPS", () => {
  const sso = { BERTH_OIDC_ISSUER: "https://id.example.com/realms/staff", BERTH_OIDC_CLIENT_ID: "berth" };
  expect(readConfig(sso).sso).toMatchObject({
    clientId: "berth",
    name: "single sign-on",
    scope: "openid profile email",
    groupsClaim: undefined,
    newPeople: "refuse",
  });
  expect(readConfig({}).sso).toBeUndefined();
  expect(readConfig({ ...sso, BERTH_OIDC_ISSUER: "http://127.0.0.1:8080" }).sso?.issuer.port).toBe("8080");
  for (const [env, message] of [
    [
      { BERTH_OIDC_ISSUER: sso.BERTH_OIDC_ISSUER },
      "BERTH_OIDC_CLIENT_ID: is missing: the client that the provider knows",
    ],
    [{ BERTH_OIDC_CLIENT_ID: "berth" }, "BERTH_OIDC_ISSUER: is missing: the provider's address"],
    [{ ...sso, BERTH_OIDC_ISSUER: "http://id.example.com" }, "BERTH_OIDC_ISSUER: want the provider's https:// address"],
    [{ ...sso, BERTH_OIDC_SCOPES: "profile" }, "BERTH_OIDC_SCOPES: want scopes"],
    [{ ...sso, BERTH_OIDC_NEW_USERS: "maybe" }, "BERTH_OIDC_NEW_USERS: want refuse or create"],
  ] as const)
    expect(() => readConfig(env)).toThrow(message);
});

test("a public address is an origin, whose name is answered", () => {
  const config = readConfig({ BERTH_DIRECTORY_PUBLIC_URL: "https://Directory.example.com/" });
  expect(config.publicOrigin).toBe("https://directory.example.com");
  expect(config.hosts).toContain("directory.example.com");
  for (const text of ["directory.example.com", "https://directory.example.com/berth", "ftp://x", "https://a@b"])
    expect(() => readConfig({ BERTH_DIRECTORY_PUBLIC_URL: text })).toThrow("BERTH_DIRECTORY_PUBLIC_URL: want");
});

test("Kubernetes places where a kubeconfig or the cluster itself is named", () => {
  expect(readConfig({}).kubernetes).toBeUndefined();
  expect(readConfig({ BERTH_KUBERNETES_CONFIG: "in-cluster" }).kubernetes).toEqual({
    kubeconfig: "in-cluster",
    namespace: "berth",
    image: "busybox:stable",
  });
  for (const [name, value] of [
    ["BERTH_KUBERNETES_CONFIG", "kubeconfig"],
    ["BERTH_KUBERNETES_NAMESPACE", "-berth"],
    ["BERTH_KUBERNETES_IMAGE", "busybox stable"],
  ] as const)
    expect(() => readConfig({ [name]: value })).toThrow(`${name}: want`);
});
