import { json, lines } from "./lines.mjs";

/** One after the other; what they make is gone behind them. */
export const changing = lines(`
  POST /containers/create?name=v-one ${json({
    Image: "busybox",
    Cmd: ["sh", "-c", "trap exit TERM; sleep 86400 & wait"],
    HostConfig: { NetworkMode: "bridge", RestartPolicy: { Name: "no" }, Memory: 67108864 },
  })}
  GET /containers/v-one/json
  GET /containers/v-one/changes
  tar=file PUT /containers/v-one/archive?path=/tmp
  tar=file PUT /containers/v-one/archive?path=/tmp&noOverwriteDirNonDir=1&copyUIDGID=1
  GET /containers/v-one/archive?path=/tmp
  GET /containers/v-one/changes
  POST /containers/v-one/start
  POST /containers/v-one/start
  POST /containers/v-one/start {}
  GET /containers/v-one/json
  POST /containers/v-one/exec {"Cmd":["sh","-c","echo out; echo err >&2; exit 3"],"AttachStdout":true,"AttachStderr":true}
  GET /exec/$EXEC/json
  POST /exec/$EXEC/start {"Detach":false,"Tty":false}
  GET /exec/$EXEC/json
  GET /containers/v-one/json
  POST /exec/$EXEC/start {}
  POST /containers/v-one/exec {"Cmd":["echo","out"],"AttachStdout":true,"Tty":true,"User":"root","WorkingDir":"/tmp","Env":["A=b"]}
  upgrade POST /exec/$EXEC/start {"Tty":true}
  POST /containers/v-one/exec {"Cmd":["/nope"],"AttachStdout":true}
  POST /exec/$EXEC/start {}
  GET /exec/$EXEC/json
  POST /containers/v-one/exec {"Cmd":["true"],"User":"nobody-here"}
  POST /exec/$EXEC/start {"Detach":true}
  POST /containers/v-one/exec {"Cmd":["true"]}
  POST /exec/$EXEC/start
  POST /exec/$EXEC/start {
  type= POST /exec/$EXEC/start {}
  POST /exec/$EXEC/start {"Detach":true}
  POST /containers/v-one/exec {"Cmd":["true"],"Env":["=x"]}
  POST /networks/r-net/connect {"Container":"v-one","EndpointConfig":{"Aliases":["two"]}}
  POST /networks/r-net/connect {"Container":"v-one"}
  GET /containers/v-one/json
  GET /networks/r-net
  POST /networks/r-net/disconnect {"Container":"v-one"}
  POST /networks/r-net/disconnect {"Container":"v-one"}
  POST /containers/v-one/update {"RestartPolicy":{"Name":"on-failure","MaximumRetryCount":2},"PidsLimit":50,"CpuShares":512}
  POST /containers/v-one/pause
  POST /containers/v-one/pause
  GET /containers/v-one/json
  POST /containers/v-one/restart?t=0
  POST /containers/v-one/unpause
  POST /containers/v-one/unpause
  POST /containers/v-one/rename?name=v-two
  POST /containers/v-two/rename?name=v-one
  POST /commit?container=v-one&repo=r/committed&tag=1&comment=said&author=ann&changes=ENV+B%3Dc {"Labels":{"a":"b"}}
  GET /images/r/committed:1/json
  GET /images/r/committed:1/history
  POST /images/r/committed:1/tag?repo=$REGISTRY/r/committed&tag=1
  POST /images/$REGISTRY/r/committed/push?tag=1
  DELETE /images/r/committed:1
  DELETE /images/$REGISTRY/r/committed:1
  POST /images/create?fromImage=$REGISTRY/r/committed&tag=1
  DELETE /images/$REGISTRY/r/committed:1?force=1&noprune=1
  tar=image POST /images/load
  tar=image POST /images/load?quiet=1
  DELETE /images/r/loaded:1
  tar=file POST /images/create?fromSrc=-&repo=r/imported&tag=1&message=said
  GET /images/r/imported:1/json
  GET /images/r/imported:1/history
  DELETE /images/r/imported:1
  POST /containers/v-one/restart?t=0
  POST /containers/v-one/stop?t=0
  POST /containers/v-one/stop
  GET /containers/v-one/json
  POST /containers/v-one/start
  cut=head POST /containers/v-one/wait
  POST /containers/v-one/kill
  POST /containers/v-one/wait
  DELETE /containers/v-one?v=1
  DELETE /containers/v-one
  POST /containers/create?name=v-bad {"Image":"busybox","Cmd":["/nope"]}
  POST /containers/v-bad/start
  GET /containers/v-bad/json
  DELETE /containers/v-bad?force=1
  POST /containers/create?name=v-lost {"Image":"busybox","HostConfig":{"NetworkMode":"nope"}}
  POST /containers/v-lost/start
  DELETE /containers/v-lost?force=1
  POST /containers/create?name=v-auto {"Image":"busybox","Cmd":["true"],"HostConfig":{"AutoRemove":true},"Labels":{"prune":"this"}}
  GET /containers/v-auto/json
  POST /containers/prune?filters=${json({ label: ["prune=this"] })}
  POST /networks/create {"Name":"v-no","IPAM":{"Config":[{"Subnet":"10.250.0.0/24","Gateway":"10.251.0.1"}]}}
  POST /networks/create {"Name":"v-no","IPAM":{"Config":[{"Subnet":"10.250.0.0/24","IPRange":"10.251.0.0/25"}]}}
  DELETE /networks/v-no
  POST /networks/create {"Name":"v-net","Labels":{"prune":"this"},"Internal":true,"IPAM":{"Config":[{"Subnet":"10.250.0.0/24"}]}}
  POST /networks/create {"Name":"v-over","IPAM":{"Config":[{"Subnet":"10.250.0.0/24"}]}}
  GET /networks/v-net
  POST /networks/prune?filters=${json({ label: ["prune=this"] })}
  POST /networks/create {"Name":"v-net"}
  DELETE /networks/v-net
  POST /volumes/create {"Name":"v-vol","Labels":{"prune":"this"}}
  GET /volumes/v-vol
  DELETE /volumes/v-vol
  POST /volumes/create {"Labels":{"prune":"this"}}
  POST /volumes/prune?filters=${json({ label: ["prune=this"] })}
  POST /containers/prune?filters=x
  POST /containers/prune?filters=${json({ colour: ["red"] })}
  POST /containers/prune?filters=${json({ until: ["soon"] })}
  POST /containers/prune?filters=${json({ label: ["nope"] })}
  POST /images/prune?filters=x
  POST /images/prune?filters=${json({ colour: ["red"] })}
  POST /images/prune?filters=${json({ dangling: ["nope"] })}
  POST /images/prune?filters=${json({ label: ["nope"] })}
  POST /networks/prune?filters=x
  POST /networks/prune?filters=${json({ colour: ["red"] })}
  POST /networks/prune?filters=${json({ label: ["nope"] })}
  POST /volumes/prune?filters=x
  POST /volumes/prune?filters=${json({ colour: ["red"] })}
  POST /volumes/prune?filters=${json({ label: ["nope"] })}
  GET /system/df
  DELETE /containers/r-running
  DELETE /containers/r-paused
`);
