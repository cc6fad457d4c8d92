import { json, lines, STATES } from "./lines.mjs";

/** Each of them with its answers of failure: 404 of what is not there, then of what is in no state for it. */
export const containers = lines(`
  GET /containers/json
  GET /containers/json?all=1
  GET /containers/json?all=1&size=1
  GET /containers/json?limit=1
  GET /containers/json?limit=many
  ${["status", "exited", "health", "isolation", "is-task", "ancestor", "before", "since", "publish", "expose", "colour"]
    .map((key) => `GET /containers/json?filters=${json({ [key]: ["nope"] })}`)
    .join("\n")}
  GET /containers/json?filters=${json({ status: ["paused"], name: ["r-"], label: ["nope"] })}
  GET /containers/json?filters=${json({ status: { paused: true } })}
  GET /containers/json?filters=${json({ status: "paused" })}
  GET /containers/json?filters=x
  GET /containers/json?filters=[]
  HEAD /containers/json
  POST /containers/json
  PATCH /containers/json
  DELETE /containers/json
  GET /containers
  GET /containers/nope
  ${[
    "json",
    "logs?stdout=1",
    "logs",
    "top",
    "changes",
    "export",
    "stats?stream=0",
    "archive?path=/",
    "archive",
    "attach/ws",
  ]
    .map((rest) => `GET /containers/nope/${rest}`)
    .join("\n")}
  ${["start", "stop", "restart", "kill", "pause", "unpause", "rename?name=r-new", "rename", "wait", "attach?stdout=1"]
    .map((rest) => `POST /containers/nope/${rest}`)
    .join("\n")}
  ${["wait?condition=nope", "resize?h=1&w=1", "resize", "update {}", "update", 'exec {"Cmd":["true"]}', "exec {}"]
    .map((rest) => `POST /containers/nope/${rest}`)
    .join("\n")}
  HEAD /containers/nope/archive?path=/
  tar=file PUT /containers/nope/archive?path=/
  tar=file PUT /containers/nope/archive
  DELETE /containers/nope
  DELETE /containers/nope?link=1
  POST /containers/nope/copy {"Resource":"/"}
  ${STATES.map(
    (state) => `
    GET /containers/r-${state}/json
    GET /containers/r-${state}/logs?stdout=1&stderr=1
    GET /containers/r-${state}/logs?stdout=1&stderr=1&timestamps=1&tail=1
    GET /containers/r-${state}/stats?stream=0
    GET /containers/r-${state}/changes
    HEAD /containers/r-${state}/archive?path=/etc/passwd
    POST /containers/r-${state}/resize?h=10&w=10`,
  ).join("\n")}
  GET /containers/r-running/json?size=1
  GET /containers/r-running/top
  GET /containers/r-running/top?ps_args=aux
  GET /containers/r-running/top?ps_args=nonsense
  GET /containers/r-paused/top
  GET /containers/r-created/top
  GET /containers/r-exited/top
  GET /containers/r-running/logs
  GET /containers/r-running/logs?stdout=1&since=soon
  GET /containers/r-running/logs?stdout=1&until=soon
  GET /containers/r-exited/logs?stdout=1&tail=many
  GET /containers/r-exited/logs?stdout=1&since=$BEGAN&until=$NOW
  GET /containers/r-exited/logs?stdout=1&follow=1
  cut=line GET /containers/r-tty/logs?stdout=1&follow=1
  cut=head GET /containers/r-running/logs?stdout=1&follow=1
  cut=line GET /containers/r-running/stats
  cut=line GET /containers/r-created/stats
  GET /containers/r-running/stats?stream=0&one-shot=1
  GET /containers/r-running/archive?path=/etc/hostname
  GET /containers/r-running/archive?path=/nope
  GET /containers/r-running/archive
  HEAD /containers/r-running/archive?path=/nope
  HEAD /containers/r-running/archive
  tar=file PUT /containers/r-running/archive?path=/nope
  tar=file PUT /containers/r-running/archive?path=/etc/hostname
  tar=file PUT /containers/r-running/archive
  tar=garbage PUT /containers/r-running/archive?path=/tmp
  GET /containers/r-exited/export
  POST /containers/r-exited/wait?condition=nope
  cut=head POST /containers/r-running/wait?condition=nope
  cut=head POST /containers/r-running/wait?condition=next-exit
  cut=head POST /containers/r-created/wait?condition=removed
  POST /containers/r-exited/wait
  POST /containers/r-exited/wait?condition=not-running
  POST /containers/r-created/wait
  POST /containers/r-running/resize
  POST /containers/r-running/resize?h=many&w=1
  POST /containers/r-running/start
  POST /containers/r-paused/start
  POST /containers/r-running/start {"PortBindings":{}}
  POST /containers/r-exited/stop
  POST /containers/r-created/stop
  POST /containers/r-running/stop?t=many
  POST /containers/r-running/restart?t=many
  POST /containers/r-created/kill
  POST /containers/r-exited/kill
  POST /containers/r-running/kill?signal=SIGNONE
  POST /containers/r-running/kill?signal=0
  POST /containers/r-running/kill?signal=SIGCONT
  POST /containers/r-created/pause
  POST /containers/r-exited/pause
  POST /containers/r-paused/pause
  POST /containers/r-created/unpause
  POST /containers/r-running/unpause
  POST /containers/r-running/rename
  POST /containers/r-running/rename?name=r-running
  POST /containers/r-running/rename?name=r-paused
  POST /containers/r-running/rename?name=a%20b
  POST /containers/r-running/update {
  POST /containers/r-running/update []
  POST /containers/r-running/update
  POST /containers/r-running/update {}
  POST /containers/r-running/update {"Memory":1}
  POST /containers/r-running/update {"RestartPolicy":{"Name":"sometimes"}}
  POST /containers/r-running/update {"CpuPeriod":1}
  type= POST /containers/r-running/update {}
  type=text/plain POST /containers/r-running/update {}
  DELETE /containers/r-created?link=1
  POST /containers/r-created/exec {"Cmd":["true"]}
  POST /containers/r-exited/exec {"Cmd":["true"]}
  POST /containers/r-paused/exec {"Cmd":["true"]}
  POST /containers/r-running/exec {}
  POST /containers/r-running/exec {
  POST /containers/r-running/exec
  type= POST /containers/r-running/exec {"Cmd":["true"]}
  POST /containers/r-running/exec {"Cmd":["true"],"DetachKeys":"long"}
  GET /exec/nope/json
  POST /exec/nope/start {}
  POST /exec/nope/start
  POST /exec/nope/resize?h=1&w=1
  POST /exec/nope/resize
  POST /containers/r-exited/attach?logs=1&stdout=1&stderr=1
  upgrade POST /containers/r-exited/attach?logs=1&stdout=1&stderr=1
  POST /containers/r-tty/attach?logs=1&stdout=1
  upgrade POST /containers/r-tty/attach?logs=1&stdout=1
  POST /containers/r-paused/attach?logs=1&stdout=1
  POST /containers/r-running/attach?stdout=1&detachKeys=long
  POST /containers/r-created/copy {"Resource":"/"}
  GET /containers/r-created/checkpoints
  POST /commit
  POST /commit?container=nope
  POST /commit?container=r-created&repo=UPPER
  POST /commit?container=r-created&repo=r/no&changes=NOPE
  POST /commit?container=r-created&repo=r/no {
  type=text/plain POST /commit?container=r-created&repo=r/no {}
`);
