import { json, lines } from "./lines.mjs";

/** Networks. */
export const networks = lines(`
  GET /networks
  GET /networks?filters=${json({ name: ["r-net"] })}
  GET /networks?filters=${json({ type: ["nope"] })}
  GET /networks?filters=${json({ colour: ["red"] })}
  GET /networks?filters=${json({ dangling: ["nope"] })}
  GET /networks?filters=${json({ scope: ["nope"] })}
  GET /networks?filters=x
  GET /networks/
  GET /networks/r-net
  GET /networks/r-net?verbose=1
  GET /networks/r-net?verbose=nope
  GET /networks/r-net?scope=nope
  GET /networks/bridge
  GET /networks/host
  GET /networks/none
  GET /networks/nope
  ${["", "{", "[]", "null", "{}", '{"Name":""}', '{"Name":"r-net","CheckDuplicate":true}', '{"Name":"bridge"}']
    .map((body) => `POST /networks/create ${body}`)
    .join("\n")}
  ${[
    { Name: "r-no1", Driver: "overlay" },
    { Name: "r-no2", Driver: "host" },
    { Name: "r-no3", Driver: "null" },
    { Name: "r-no4", Scope: "nope" },
    { Name: "r-no5", Ingress: true },
    { Name: "r-no6", IPAM: { Config: [{ Subnet: "x" }] } },
    { Name: "r-no8", Options: { "com.docker.network.driver.mtu": "x" } },
    { Name: "r-no9", ConfigFrom: { Network: "nope" } },
  ]
    .map((body) => `POST /networks/create ${json(body)}`)
    .join("\n")}
  type= POST /networks/create {"Name":"r-no"}
  POST /networks/nope/connect {"Container":"r-running"}
  POST /networks/r-net/connect {"Container":"nope"}
  POST /networks/r-net/connect {"Container":""}
  POST /networks/r-net/connect {"Container":"r-running"}
  POST /networks/r-net/connect {"Container":"r-paused","EndpointConfig":{"IPAMConfig":{"IPv4Address":"x"}}}
  POST /networks/r-net/connect {"Container":"r-paused","EndpointConfig":{"IPAMConfig":{"IPv4Address":"10.1.2.3"}}}
  POST /networks/host/connect {"Container":"r-running"}
  POST /networks/none/connect {"Container":"r-running"}
  POST /networks/r-net/connect {
  POST /networks/r-net/connect
  type= POST /networks/r-net/connect {"Container":"r-running"}
  POST /networks/nope/disconnect {"Container":"r-running"}
  POST /networks/r-net/disconnect {"Container":"nope"}
  POST /networks/r-net/disconnect {"Container":"r-paused"}
  POST /networks/bridge/disconnect {"Container":"r-running"}
  POST /networks/r-net/disconnect
  DELETE /networks/nope
  DELETE /networks/bridge
  DELETE /networks/host
  DELETE /networks/r-net
`);

/** Volumes. */
export const volumes = lines(`
  GET /volumes
  GET /volumes?filters=${json({ dangling: ["nope"] })}
  GET /volumes?filters=${json({ dangling: ["true"], name: ["r-vol"] })}
  GET /volumes?filters=${json({ colour: ["red"] })}
  GET /volumes?filters=x
  GET /volumes/r-vol
  GET /volumes/nope
  ${[
    "",
    "{",
    "[]",
    '{"Name":"a b"}',
    '{"Name":"a"}',
    '{"Name":7}',
    '{"Name":"r-vol"}',
    '{"Name":"r-no","DriverOpts":{"nope":"1"}}',
  ]
    .map((body) => `POST /volumes/create ${body}`)
    .join("\n")}
  type= POST /volumes/create {"Name":"r-no"}
  DELETE /volumes/nope
  DELETE /volumes/nope?force=1
  DELETE /volumes/r-vol
  DELETE /volumes/r-vol?force=1
  POST /volumes
  GET /volumes/
`);
