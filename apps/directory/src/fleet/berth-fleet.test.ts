import { expect, test } from "vitest";
import { commandOn } from "../berth.testing.ts";
import { describeDirectory } from "../directory.testing.ts";
import { addHost, type SimulatedHost, silence } from "./fleet.testing.ts";

describeDirectory("berth places and berth hosts in a fleet", (directory) => {
  /** Ann's command on her own machine, while the host does what it is told; `docker` keeps what Docker's was asked. */
  async function annIn(host: SimulatedHost) {
    const { token } = await directory.addUser("ann");
    const docker: string[] = [];
    const berth = commandOn(directory);
    const run = async (...line: readonly string[]) => {
      let isOver = false;
      const following = host.follow(() => isOver);
      const ended = await berth(line, { token, docker });
      isOver = true;
      directory.signals.publish({ topic: `host/${host.name}` });
      await following;
      return ended;
    };
    return { run, docker };
  }

  test("take writes and selects a docker context, and give removes what it wrote", async () => {
    const { run, docker } = await annIn(await addHost(directory, "h1"));
    const taken = await run("places", "take", "ci", "--host", "h1", "--memory", "1g", "--for", "2h");
    expect(taken).toMatchObject({ code: 0, err: "Place ci on h1: the docker context ci is in use.\n" });
    const [, line = ""] = taken.out.split("\n");
    expect(line.trim()).toMatch(/^ci +h1 +ann +ready +1024m +1 +1024 +- +(2h|1h \d+m)$/);
    expect(docker).toEqual([
      "context inspect --format {{.Metadata.Description}} ci",
      "context create --description Berth place on h1 --docker host=tcp://h1.example.test:2375/places/ci ci",
      "context use ci",
    ]);
    expect((await run("places", "extend", "ci", "--for", "3h")).out).toMatch(/ (3h|2h \d+m)\n$/);
    expect((await run("places")).out).toMatch(/^PLACE {2}HOST/);
    expect(await run("places", "give", "ci", "--yes")).toMatchObject({ code: 0, out: "Gave place ci of ann back.\n" });
    expect((await run("places", "give", "ci", "--yes")).err).toContain("There is no place ci in the fleet");
  });

  test("take --env prints what a job's shell evaluates, and nothing else", async () => {
    const { run, docker } = await annIn(await addHost(directory, "h1"));
    const { out, err } = await run("places", "take", "--env", "--host", "h1", "--memory", "1g");
    expect(out).toMatch(/^export DOCKER_HOST='tcp:\/\/h1\.example\.test:2375\/places\/job-[0-9a-f]{8}'\n$/);
    expect([err, docker]).toEqual(["", []]);
  });

  test("without a host, take says what each has free", async () => {
    const { run } = await annIn(await addHost(directory, "h1"));
    const { code, err } = await run("places", "take", "ci", "--memory", "9g");
    expect([code, err]).toEqual([1, "berth: Name a host for the place: h1 lacks 9216 MiB of memory (8192 MiB free)\n"]);
    expect((await run("places", "take", "--memory", "1g")).err).toContain("Name the place, or take one for a job");
  });

  test("administrators list, drain and forget hosts", async () => {
    await addHost(directory, "h1");
    const berth = commandOn(directory);
    const listed = (await berth(["hosts"])).out.split("\n")[1] ?? "";
    expect(listed.trim().split(/\s{2,}/)).toEqual([
      ...["h1", "ready", "8192m of 8192m", "4 of 4", "0", "tcp://h1.example.test:2375"],
    ]);
    expect((await berth(["hosts", "drain", "h1"])).out).toContain("draining");
    expect((await berth(["hosts", "undrain", "h1"])).out).toContain("ready");
    expect((await berth(["hosts", "forget", "h1", "--yes"])).err).toContain("was heard of within the last 30 seconds");
    await silence(directory, "h1");
    expect((await berth(["hosts"])).out).toContain("unreachable since");
    expect((await berth(["hosts", "forget", "h1", "--yes"])).out).toContain("h1 is forgotten");
    expect((await berth(["hosts", "drain", "h1"])).err).toContain("There is no host h1 in the fleet.");
  });
});
