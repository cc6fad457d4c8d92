// What a person waits for, as a table. Every task is done by each engine in turn; its time is that of `run`.
//
// A task's fields: `what` it is called; `section`, by which it is chosen; `rounds`; `goal`, the least ratio of dockerd's time to Berth's; and
// functions of an engine: `prepare` once before the rounds, `before` each round, `run`, `after` each round. An engine has `sh(script)`, which
// runs a shell with its docker command and `$DIR`, a folder of its own, and `api(method, path, json)`, which answers parsed JSON.

const HUNDRED = 100;
const LINE = "a line of a hundred bytes or so, as programs write them to their output again and again, one by one";
const LINES = `sh -c 'yes "${LINE}" | head -n 1000000'`;
const REGISTRY = "127.0.0.1:5997";
const SLEEPER = { Image: "busybox:latest", Cmd: ["sleep", "6000"] };
const WITH_PORT = {
  ...SLEEPER,
  ExposedPorts: { "80/tcp": {} },
  HostConfig: { PortBindings: { "80/tcp": [{ HostPort: "" }] } },
};

/** Creates and starts containers that publish a port, so many at a time. */
async function startMany({ api }, count, atOnce) {
  let left = count;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) {
        const { Id } = await api("POST", "/containers/create", WITH_PORT);
        await api("POST", `/containers/${Id}/start`);
      }
    }),
  );
}

/** One more container with a port, whose round removes it. */
async function startOne({ api, round }) {
  const { Id } = await api("POST", `/containers/create?name=one${round}`, WITH_PORT);
  await api("POST", `/containers/${Id}/start`);
}

/** Containers that do not run, and an event of each. */
async function createMany({ api }, count) {
  for (let made = 0; made < count; made++) await api("POST", "/containers/create", SLEEPER);
}

function removeAll({ sh }) {
  return sh("docker ps -aq | xargs -r -n 8 -P 4 docker rm -fv >/dev/null");
}

function sleeper({ sh }) {
  return sh("docker run -d --name sleeper busybox sleep 6000");
}

/** 300 MB that cannot be compressed, and 3,000 small files. */
function makeTree({ sh }) {
  return sh(
    "mkdir -p $DIR/tree && cd $DIR/tree && head -c 300000000 /dev/urandom >big && for i in $(seq 3000); do echo $i >f$i; done",
  );
}

function makeImage({ sh }) {
  return sh(
    `mkdir -p $DIR/layer && cd $DIR/layer && head -c 150000000 /dev/urandom >big && for i in $(seq 2000); do echo $i >f$i; done &&
     tar c . | docker import - ${REGISTRY}/$ENGINE:latest`,
  );
}

export const TASKS = [
  { section: "small", what: "ping", rounds: 40, run: ({ api }) => api("GET", "/_ping") },
  {
    section: "small",
    what: "create",
    rounds: 20,
    goal: 2.5,
    run: ({ api }) => api("POST", "/containers/create", SLEEPER),
  },
  ...[
    ["inspect", ({ api }) => api("GET", "/containers/sleeper/json")],
    ["changes", ({ api }) => api("GET", "/containers/sleeper/changes")],
    ["top", ({ api }) => api("GET", "/containers/sleeper/top")],
    ["stat of a path", ({ api }) => api("HEAD", "/containers/sleeper/archive?path=/etc/passwd")],
  ].map(([what, run]) => ({ section: "small", what, rounds: 20, goal: 0.8, prepare: sleeper, run })),
  {
    section: "run",
    what: "docker exec true",
    rounds: 15,
    goal: 1.3,
    prepare: sleeper,
    run: ({ sh }) => sh("docker exec sleeper true"),
  },
  {
    section: "run",
    what: "docker run --rm true",
    rounds: 12,
    goal: 2.5,
    run: ({ sh }) => sh("docker run --rm busybox true"),
  },
  {
    section: "run",
    what: "the same with --network none",
    rounds: 12,
    goal: 2,
    run: ({ sh }) => sh("docker run --rm --network none busybox true"),
  },
  ...[4, 16].map((atOnce) => ({
    section: "many",
    what: `48 containers with a port, ${atOnce} at a time`,
    rounds: 2,
    goal: 3,
    run: (engine) => startMany(engine, 48, atOnce),
    after: removeAll,
  })),
  ...[
    ["list", 15, 2, ({ api }) => api("GET", "/containers/json")],
    ["docker stats", 3, 2, ({ sh }) => sh("docker stats --no-stream >/dev/null")],
    ["removal", 1, 2, removeAll],
  ].map(([what, rounds, goal, run], at) => ({
    section: "hundred",
    what: `${what} of ${HUNDRED} running`,
    rounds,
    goal,
    prepare: (engine) => (at === 0 ? startMany(engine, HUNDRED, 8) : undefined),
    run,
    keeps: at < 2,
  })),
  ...[
    ["start with a range of 200 ports", "docker run -d --name range -p 20000-20199:20000-20199 busybox sleep 6000"],
    ["its removal", "docker rm -f range"],
  ].map(([what, script], at) => ({ section: "range", what, rounds: 1, run: ({ sh }) => sh(script), keeps: at === 0 })),
  ...[10, 500].map((running) => ({
    section: "grown",
    what: `create and start beside ${running} running`,
    rounds: 15,
    prepare: (engine) => startMany(engine, running, 8),
    run: startOne,
    after: ({ sh, round }) => sh(`docker rm -f one${round}`),
  })),
  ...[
    ["list of 1,000 that do not run", 2, ({ api }) => api("GET", "/containers/json?all=true")],
    ["their events", undefined, ({ sh }) => sh("docker events --since 24h --until 0s | tail -n 1000 | grep -q create")],
  ].map(([what, goal, run], at) => ({
    section: "stopped",
    what,
    rounds: 10,
    goal,
    prepare: (engine) => (at === 0 ? createMany(engine, 1000) : undefined),
    run,
    keeps: at === 0,
  })),
  {
    section: "output",
    what: "run that writes a million lines, attached",
    rounds: 3,
    goal: 1.2,
    run: ({ sh }) => sh(`docker run --name lines busybox ${LINES} >/dev/null`),
    after: ({ sh }) => sh("docker rm -f lines"),
  },
  {
    section: "output",
    what: "docker logs of a million lines",
    rounds: 3,
    goal: 2,
    prepare: ({ sh }) => sh(`docker run --name lines busybox ${LINES} >/dev/null`),
    run: ({ sh }) => sh("test $(docker logs lines | wc -l) = 1000000"),
  },
  {
    section: "output",
    what: "500 MB in and out through run -i cat",
    rounds: 2,
    goal: 1.2,
    run: ({ sh }) => sh("test $(head -c 500000000 /dev/zero | docker run --rm -i busybox cat | wc -c) = 500000000"),
  },
  {
    section: "files",
    what: "docker cp in, 300 MB and 3,000 files",
    rounds: 3,
    goal: 1.2,
    prepare: async (engine) => {
      await makeTree(engine);
      await sleeper(engine);
    },
    run: ({ sh }) => sh("docker cp $DIR/tree sleeper:/tree-$ROUND"),
    after: ({ sh }) => sh("test $ROUND = 1 || docker exec sleeper rm -r /tree-$ROUND"),
    keeps: true,
  },
  {
    section: "files",
    what: "docker cp out of the same",
    rounds: 3,
    run: ({ sh }) => sh("docker cp sleeper:/tree-1 $DIR/out"),
    after: ({ sh }) => sh("rm -r $DIR/out"),
    keeps: true,
  },
  {
    section: "files",
    what: "docker commit of it",
    rounds: 1,
    goal: 1,
    run: ({ sh }) => sh("docker commit sleeper big:1"),
    keeps: true,
  },
  {
    section: "files",
    what: "docker save",
    rounds: 3,
    run: ({ sh }) => sh("docker save -o $DIR/big.tar big:1"),
    keeps: true,
  },
  {
    section: "files",
    what: "docker load",
    rounds: 3,
    goal: 1.2,
    prepare: removeAll,
    before: ({ sh }) => sh("docker rmi -f big:1 || true"),
    run: ({ sh }) => sh("docker load -i $DIR/big.tar"),
  },
  {
    section: "registry",
    what: "docker push, 150 MB and 2,000 files",
    rounds: 3,
    goal: 1,
    before: makeImage,
    run: ({ sh }) => sh(`docker push ${REGISTRY}/$ENGINE:latest`),
    keeps: true,
  },
  {
    section: "registry",
    what: "docker pull of it",
    rounds: 3,
    goal: 1.2,
    before: ({ sh }) => sh(`docker rmi -f ${REGISTRY}/$ENGINE:latest || true`),
    run: ({ sh }) => sh(`docker pull -q ${REGISTRY}/$ENGINE:latest`),
  },
];

/** Where the registry of the section `registry` listens, in each engine's network. */
export { REGISTRY, removeAll };
