// What the Docker CLI is asked for, one line a command; `$DIR` is a scratch folder that holds `file`, `$BEGAN` the moment at which the flow
// began: what an engine that others use too told of before is none of its.
// `API=1.24` before a command makes the CLI speak that version.

const FLOW = `
version
info
images
image inspect busybox
history busybox
tag busybox:latest traffic/one:1
images --filter reference=traffic/*
network create --label a=b traffic-net
network ls
network inspect traffic-net
network create traffic-net
volume create --label a=b traffic-vol
volume ls
volume inspect traffic-vol
create --name t-one -e A=b -l x=y -p 127.0.0.1::80 --expose 81 -v traffic-vol:/data --tmpfs /scratch -m 64m busybox sleep 300
create --name t-one busybox
create --name t-none traffic/none:1
inspect t-one
exec t-one true
start t-one
start t-one
inspect t-one
inspect -s t-one
ps
ps -a -s --no-trunc
ps --filter name=t-one --filter status=running
ps --filter colour=red
port t-one
exec t-one echo hi
exec -w /tmp -e B=c t-one sh -c "exit 3"
exec t-one /nope
exec -d t-one true
cp $DIR/file t-one:/tmp/file
cp t-one:/tmp/file -
cp t-one:/nope -
logs t-one
top t-one
stats --no-stream t-one
diff t-one
network connect --alias one traffic-net t-one
inspect t-one
network inspect traffic-net
network rm traffic-net
network disconnect traffic-net t-one
pause t-one
pause t-one
ps
unpause t-one
rename t-one t-two
update --restart on-failure:3 t-two
commit -m said -a author t-two traffic/two:1
image inspect traffic/two:1
history traffic/two:1
export -o $DIR/export.tar t-two
rm t-two
restart -t 0 t-two
kill t-two
kill t-two
start t-two
stop -t 0 t-two
stop t-two
inspect t-two
logs -t t-two
run --rm busybox sh -c "echo out; echo err >&2"
run --rm --read-only --user 1:1 --ulimit nofile=64 --sysctl net.ipv4.ip_forward=1 --add-host a:1.2.3.4 --dns 1.2.3.4 busybox true
run --rm -i busybox cat
run --rm --network none busybox true
run --rm --network container:nope busybox true
run --name t-bad busybox /nope
inspect t-bad
run -d --name t-done busybox sh -c "exit 3"
wait t-done
inspect t-done
attach t-done
run -d --name t-well --health-cmd true --health-interval 1h --network traffic-net busybox sleep 300
inspect t-well
container inspect t-well
ps --filter health=starting
events --since $BEGAN --until 0s
events --since $BEGAN --until 0s --filter type=image
save -o $DIR/save.tar traffic/one:1
rmi traffic/one:1 traffic/two:1
load -i $DIR/save.tar
import $DIR/export.tar traffic/three:1
image inspect traffic/three:1
system df
system df -v
API=1.24 version
API=1.24 info
API=1.24 ps -a
API=1.24 inspect t-well
API=1.24 images
API=1.24 image inspect busybox
API=1.24 network inspect traffic-net
API=1.24 create --name t-old -p 127.0.0.1::80 busybox sleep 1
API=1.24 inspect t-old
API=1.30 inspect t-well
API=1.30 ps -a
API=1.30 info
inspect nope
start nope
rm nope
logs nope
rmi nope
image inspect nope:1
network inspect nope
network rm nope
network rm bridge
volume inspect nope
volume rm nope
volume rm traffic-vol
network rm traffic-net
rm -f t-well
container prune -f
network prune -f
volume rm -f traffic-vol
volume prune -f
image prune -f
rmi traffic/one:1 traffic/three:1
plugin ls
swarm ca
`;

/**
 * The commands as they are written, and what to run for each.
 * @param {string} directory the scratch folder
 */
export function commandsIn(directory) {
  const began = String(Date.now() / 1000);
  return FLOW.trim()
    .split("\n")
    .map((line) => {
      const [, version, rest = line] = /^API=(\S+) (.*)$/.exec(line) ?? [];
      const words = [...rest.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare = ""]) => quoted ?? bare);
      return { line, version, args: words.map((word) => word.replace("$DIR", directory).replace("$BEGAN", began)) };
    });
}
