import { createHost } from "./creating.mjs";
import { json, lines, STATES } from "./lines.mjs";

/** Create, start, inspect and list, which answer clients older than 1.24. */
export const legacy = lines(`
  GET /containers/json
  GET /containers/json?all=1&size=1
  GET /containers/json?limit=many
  GET /containers/json?filters=x
  GET /containers/json?filters=${json({ status: { paused: true } })}
  GET /containers/json?filters=${json({ status: ["nope"] })}
  GET /containers/json?all=1&since=r-created
  GET /containers/json?all=1&before=r-running
  GET /containers/json?before=nope
  ${STATES.map((state) => `GET /containers/r-${state}/json`).join("\n")}
  GET /containers/r-running/json?size=1
  GET /containers/nope/json
  POST /containers/nope/start
  POST /containers/r-running/start
  POST /containers/r-paused/start
  POST /containers/create
  POST /containers/create {
  POST /containers/create {}
  type=text/plain POST /containers/create {"Image":"busybox"}
  POST /containers/create {"Image":"nope:1"}
  POST /containers/create?name=r-created {"Image":"busybox"}
  POST /containers/create?name=a%20b {"Image":"busybox"}
  ${createHost({ RestartPolicy: { Name: "sometimes" } })}
  ${createHost({ PortBindings: { "80/tcp": [{ HostPort: "aa80" }] } })}
`);

/** The same, one after the other. */
export const legacyChanging = lines(`
  POST /containers/create?name=v-old {"Image":"busybox","Cmd":["sleep","86400"],"Memory":67108864,"CpuShares":512,"Cpuset":"0","ExposedPorts":{"80/tcp":{}}}
  GET /containers/v-old/json
  type=text/plain POST /containers/v-old/start {"Binds":[]}
  POST /containers/v-old/start {"Binds":["/tmp:/data"]}
  POST /containers/v-old/start
  GET /containers/v-old/json
  raw DELETE /containers/v-old?force=1
  POST /containers/create?name=v-old {"Image":"busybox","Cmd":["/nope"],"HostConfig":{"AutoRemove":true}}
  POST /containers/v-old/start
  raw DELETE /containers/v-old?force=1
  POST /containers/create?name=v-old {"Image":"busybox","Cmd":["sleep","86400"],"HostConfig":{"NetworkMode":"nope"}}
  POST /containers/v-old/start
  raw DELETE /containers/v-old?force=1
`);
