import { json, lines } from "./lines.mjs";

/** Asked before all else: an engine keeps only so many events. */
export const events = lines(`
  ${[
    { container: ["r-running", "r-exited"], event: ["create", "start", "die"] },
    { network: ["r-net"] },
    { volume: ["r-vol"] },
    { event: ["tag"] },
  ]
    .map((wanted) => `GET /events?since=$BEGAN&until=$NOW&filters=${json(wanted)}`)
    .join("\n")}
  cut=line GET /events?since=$BEGAN&filters=${json({ container: ["r-created"] })}
  cut=head GET /events?since=$NOW
  GET /events?since=soon
  GET /events?since=20&until=10
  GET /events?filters=x
  GET /events?since=$BEGAN&until=$NOW&filters=${json({ colour: ["red"], event: ["tag"] })}
`);

/** The engine itself, and what it has not. */
export const engine = lines(`
  GET /_ping
  HEAD /_ping
  GET /version
  GET /info
  GET /nope
  POST /info
  OPTIONS /info
  POST /auth
  POST /auth {
  POST /auth []
  POST /auth {"username":"ann","password":"x","serveraddress":"$REGISTRY"}
  GET /distribution/$REGISTRY/r/base:1/json
  GET /distribution/$REGISTRY/r/nope:1/json
  GET /distribution/UPPER/json
  GET /distribution/${"0".repeat(64)}/json
  ${["swarm", "swarm/unlockkey", "services", "services/x", "services/x/logs?stdout=1", "nodes", "nodes/x", "tasks"]
    .map((path) => `GET /${path}`)
    .join("\n")}
  ${["tasks/x", "tasks/x/logs?stdout=1", "secrets", "secrets/x", "configs", "configs/x"].map((path) => `GET /${path}`).join("\n")}
  ${["secrets/create", "configs/create", "services/create", "services/x/update?version=1", "nodes/x/update?version=1"]
    .map((path) => `POST /${path} {"Name":"x"}`)
    .join("\n")}
  ${["services/x", "nodes/x", "secrets/x", "configs/x"].map((path) => `DELETE /${path}`).join("\n")}
  POST /swarm/leave
  POST /swarm/update?version=1 {}
  GET /plugins
  GET /plugins/nope/json
  DELETE /plugins/nope
  POST /plugins/nope/enable
  POST /plugins/nope/disable
  POST /build/prune
  POST /build/cancel
  tar=garbage POST /build
  POST /session
`);

/** Whose path says what version they speak, or none. */
export const unversioned = lines(`
  ${[
    "/v1.52/info",
    "/v2.0/info",
    "/v1.5/info",
    "/v1.5/containers/json",
    "/v1/info",
    "/v0.9/info",
    "/v1.41.0/info",
    "/v1.041/info",
  ]
    .map((path) => `raw GET ${path}`)
    .join("\n")}
  ${[
    "/vX/info",
    "/v/info",
    "/V1.41/info",
    "/1.41/info",
    "/v1.41",
    "/v1.41/",
    "/",
    "/v1.52/nope",
    "/v1.52/containers/nope/json",
  ]
    .map((path) => `raw GET ${path}`)
    .join("\n")}
  raw GET /info
  raw GET /containers/json
  raw GET /containers/nope/json
  raw HEAD /_ping
  raw POST /v1.52/containers/create {"Image":"busybox"}
  raw HEAD /v1.52/_ping
`);
