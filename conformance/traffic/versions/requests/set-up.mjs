import { json, lines } from "./lines.mjs";

/** Made once, at the newest version: a container in every state, and what they stand on. */
export const setUp = lines(`
  POST /networks/create {"Name":"r-net","Labels":{"a":"b"},"Options":{"c":"d"}}
  POST /volumes/create {"Name":"r-vol","Labels":{"a":"b"}}
  POST /images/busybox/tag?repo=r/one&tag=1
  POST /images/busybox/tag?repo=$REGISTRY/r/base&tag=1
  POST /images/$REGISTRY/r/base/push?tag=1
  POST /containers/create?name=r-created {"Image":"busybox","Cmd":["sleep","86400"]}
  POST /containers/create?name=r-running ${json({
    Image: "busybox",
    Cmd: ["sleep", "86400"],
    Env: ["A=b"],
    Labels: { x: "y" },
    ExposedPorts: { "80/tcp": {}, "81/udp": {} },
    Volumes: { "/anonymous": {} },
    Healthcheck: { Test: ["CMD", "true"], Interval: 3_600_000_000_000 },
    HostConfig: {
      Binds: ["r-vol:/data"],
      Tmpfs: { "/scratch": "" },
      Memory: 67108864,
      PortBindings: { "80/tcp": [{ HostIp: "127.0.0.1", HostPort: "" }] },
      NetworkMode: "r-net",
    },
    NetworkingConfig: { EndpointsConfig: { "r-net": { Aliases: ["one"] } } },
  })}
  POST /containers/r-running/start
  POST /containers/create?name=r-paused {"Image":"busybox","Cmd":["sleep","86400"]}
  POST /containers/r-paused/start
  POST /containers/r-paused/pause
  POST /containers/create?name=r-exited {"Image":"busybox","Cmd":["sh","-c","echo out; sleep 0.3; echo err >&2; exit 3"]}
  POST /containers/r-exited/start
  POST /containers/r-exited/wait
  POST /containers/create?name=r-tty {"Image":"busybox","Cmd":["sh","-c","echo said; sleep 86400"],"Tty":true,"OpenStdin":true}
  POST /containers/r-tty/start
  cut=line GET /containers/r-tty/logs?stdout=1&follow=1
`);
