import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ControlPlane, missingKubernetes } from "../../../../../tools/kubernetes.testing.ts";
import { FleetPlacings } from "../../db/fleet/placings.ts";
import { describeDirectory, type Received, type TestDirectory } from "../../directory.testing.ts";
import { openKubernetes } from "../../kubernetes/open-kubernetes.ts";
import { addHost, GIB, type SimulatedHost } from "../fleet.testing.ts";
import { TestNodes } from "./cluster.testing.ts";
import { KubernetesPlacement } from "./kubernetes.ts";
import { PodKeeper } from "./pod-keeper.ts";
import type { Pods } from "./pods.ts";

const MANIFESTS = join(import.meta.dirname, "../../../../../deploy/kubernetes");
const missing = missingKubernetes();
const SIZE = { memory: GIB, cpus: 1 };

/** A busy machine starts an API server in half a minute. */
const PATIENCE = { timeout: 120_000 };

describe.skipIf(missing !== undefined)(
  `places by a real Kubernetes${missing === undefined ? "" : ` (${missing})`}`,
  PATIENCE,
  () => {
    let plane: ControlPlane;
    let nodes: TestNodes;

    beforeAll(async () => {
      plane = await ControlPlane.start({ silence: 6 });
      await plane.kubectl("apply", "-f", join(MANIFESTS, "directory.yaml"));
      nodes = new TestNodes(plane);
      nodes.begin();
    }, 120_000);
    afterAll(async () => {
      await nodes?.close();
      await plane?.close();
    });

    test("the API server takes what deploy/kubernetes has", async () => {
      const taken = await plane.kubectl("apply", "--dry-run=server", "-f", MANIFESTS);
      for (const kind of [
        "namespace",
        "serviceaccount",
        "role.rbac",
        "rolebinding.rbac",
        "configmap",
        "secret",
        "daemonset.apps",
      ])
        expect(taken).toContain(kind);
      const may = (verb: string, what: string, ...where: readonly string[]) =>
        plane
          .kubectl("auth", "can-i", verb, what, ...where, "--as=system:serviceaccount:berth:berth-directory")
          .catch(() => "no");
      expect(await may("create", "pods", "-n", "berth")).toBe("yes\n");
      expect(await may("create", "pods", "-n", "default")).toBe("no");
      expect(await may("get", "secrets", "-n", "berth")).toBe("no");
      expect(await may("list", "nodes")).toBe("no");
    });

    /** One directory's side of it, with the rights that the manifest gives. */
    function openPods(): Pods {
      const config = { kubeconfig: plane.kubeconfig("directory"), namespace: "berth", image: "busybox:stable" };
      return openKubernetes(config, "the secret of a database");
    }

    describeDirectory("the fleet", (directory) => {
      let ann: { readonly id: number; readonly token: string };
      let hosts: SimulatedHost[];
      let stopping: (() => Promise<void>)[];
      const logged: string[] = [];

      beforeEach(async () => {
        logged.length = 0;
        [hosts, stopping] = [[], []];
        openDirectory();
        ann = await directory.addUser("ann");
        const ports = [{ start: 1, end: 65_535 }];
        const json = { kind: "host-ports", effect: "grant", ports };
        await directory.send("POST", `/api/users/${ann.id}/constraints`, { json });
      });
      afterEach(async () => {
        for (const stop of stopping.reverse()) await stop();
        await nodes.clear();
        expect(directory.faults).toEqual([]);
      });

      /** Opens a directory's placement; gives what ends it. */
      function openDirectory(pods = openPods()): PodKeeper {
        const placings = new FleetPlacings(directory.database.db);
        directory.placement = new KubernetesPlacement(pods, placings, (id) => logged.push(`left the Pod of ${id}`));
        directory.restart();
        const note = (_: object, message: string) => void logged.push(message);
        const { signals } = directory;
        const keeper = new PodKeeper({ pods, placings, signals, log: { info: note, warn: note } });
        const deaf = listen(directory, keeper);
        stopping.push(async () => {
          deaf();
          await keeper.close();
        });
        return keeper;
      }

      /** Adds a host that follows the directory, and its Node. */
      async function add(name: string): Promise<SimulatedHost> {
        await nodes.add(name);
        const host = await addHost(directory, name);
        let isOver = false;
        const following = host.follow(() => isOver);
        stopping.push(async () => {
          isOver = true;
          directory.signals.publish({ topic: `host/${name}` });
          await following;
        });
        hosts.push(host);
        return host;
      }

      function take(name: string, more: object = {}): Promise<Received> {
        const json = { ...SIZE, name, ...more };
        return directory.send("POST", "/api/fleet/places", { json, token: ann.token });
      }

      async function give(id: number): Promise<number> {
        return (await directory.send("DELETE", `/api/fleet/places/${id}`, { token: ann.token })).status;
      }

      async function places(): Promise<
        readonly { readonly name: string; readonly host: string; readonly state: string }[]
      > {
        return (await directory.send("GET", "/api/fleet/places")).json;
      }

      /** What is there of places anywhere: rows, what they take, Pods, and what hosts have. */
      async function everything() {
        const { db } = directory.database;
        const [row] = await db.execute<{ rows: number; ports: number; used: number }>(sql`
        select (select count(*) from directory.fleet_places)::int as rows, (select count(*) from directory.fleet_ports)::int as ports,
          (select count(*) from directory.fleet_accounts where used <> 0)::int as used`);
        const pods = (await nodes.pods()).filter(({ metadata }) => metadata?.name?.startsWith("place-"));
        return { ...row, pods: pods.length, held: hosts.reduce((sum, { has }) => sum + has.size, 0) };
      }
      const NOTHING = { rows: 0, ports: 0, used: 0, pods: 0, held: 0 };

      /** A Pod of somebody else, which takes memory of a Node. */
      function foreign(name: string, node: string, memory: string) {
        const resources = { requests: { memory } };
        return nodes.create({
          metadata: { name },
          spec: { nodeName: node, containers: [{ name: "x", image: "x", resources }] },
        });
      }

      test("the scheduler chooses a host, and the Pod holds what the place has until it is given back", async () => {
        await add("h1");
        const taken = await take("ci", { ports: ["8080", "53/udp"], cpus: 1.5 });
        expect(taken).toMatchObject({ status: 201, json: { state: "ready", host: "h1" } });
        const [pod, ...others] = await nodes.pods();
        expect(others).toEqual([]);
        expect(pod?.metadata?.name).toMatch(new RegExp(`^place-[0-9a-f]{8}-${taken.json.id}$`));
        expect(pod?.status?.qosClass).toBe("Guaranteed");
        expect(pod?.spec).toMatchObject({
          ...{ nodeName: "h1", hostNetwork: true, restartPolicy: "Always", automountServiceAccountToken: false },
          containers: [
            {
              resources: {
                limits: { cpu: "1500m", memory: String(GIB) },
                requests: { cpu: "1500m", memory: String(GIB) },
              },
              ports: [
                { hostPort: 8_080, containerPort: 8_080, hostIP: "0.0.0.0", protocol: "TCP" },
                { hostPort: 53, containerPort: 53, hostIP: "0.0.0.0", protocol: "UDP" },
              ],
            },
          ],
        });
        const endless = pod?.spec?.tolerations
          ?.filter((one) => one.tolerationSeconds === undefined)
          .map(({ key }) => key);
        expect(endless).toEqual(["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"]);
        expect(hosts[0]?.has.get(taken.json.id)).toMatchObject({ pod: pod?.metadata?.uid });
        expect(await give(taken.json.id)).toBe(204);
        await expect.poll(everything).toEqual(NOTHING);
      });

      test("places that want one port get hosts of their own, and the next learns who has it", async () => {
        for (const name of ["h1", "h2"]) await add(name);
        const taken = [await take("one", { ports: ["8080"] }), await take("two", { ports: ["8080"] })];
        expect(taken.map(({ json }) => json.host).sort()).toEqual(["h1", "h2"]);
        const refused = await take("three", { ports: ["8080"] });
        expect(refused.status).toBe(409);
        expect(refused.json.detail).toMatch(
          /^No host gives such a place: h1 lacks 8080\/tcp \(place (one|two) of ann\); h2 lacks 8080\/tcp \(place (one|two) of ann\)$/,
        );
        expect(await everything()).toMatchObject({ rows: 2, pods: 2 });
        // The room of a place that ends is waited for.
        const { id } = taken[0]?.json ?? {};
        expect(await give(id)).toBe(204);
        expect((await take("three", { ports: ["8080"] })).json).toMatchObject({ state: "ready" });
      });

      test("what Kubernetes alone knows is told, and nothing is kept", async () => {
        await add("h1");
        await foreign("other", "h1", "15Gi");
        const refused = await take("ci", { memory: 4 * GIB });
        expect(refused).toMatchObject({ status: 409, json: { code: "conflict" } });
        expect(refused.json.detail).toMatch(
          /Kubernetes places it nowhere \(.*Insufficient memory.*\); h1 has 8192 MiB/,
        );
        await expect.poll(everything).toEqual(NOTHING);
        const named = await take("ci", { host: "h9" });
        expect(named.json.detail).toContain("There is no host h9 in the fleet: h1 has");
        expect((await take("ci", { host: "h1" })).json).toMatchObject({ host: "h1", state: "ready" });
      });

      test("another host is taken where one declines, three times", async () => {
        for (const name of ["h1", "h2", "h3", "h4"]) await add(name);
        for (const host of hosts)
          host.refuses = () => (host.name === "h4" ? undefined : "port 8080/tcp is in use by nginx");
        nodes.waitingFor = (node) => (node === "h3" ? "ErrImagePull" : undefined);
        const answers = [await take("a"), await take("b"), await take("c")];
        for (const { status, json } of answers) expect(status === 201 ? json.host : json.detail).toMatch(/^h4$|nginx/);
        for (const host of hosts) host.refuses = () => "port 8080/tcp is in use by nginx";
        nodes.waitingFor = () => "ErrImagePull";
        const refused = await take("d");
        expect(refused.status).toBe(409);
        expect(refused.json.detail.match(/h\d: its kubelet cannot run the place's Pod: ErrImagePull/g)).toHaveLength(3);
        for (const { status, json } of answers) if (status === 201) await give(json.id);
        await expect.poll(everything).toEqual(NOTHING);
      });

      test("a host that drains while the scheduler chooses it is no host of the place", async () => {
        await add("h1");
        await plane.stopScheduler();
        const taking = take("ci");
        await expect.poll(async () => (await nodes.pods()).length).toBe(1);
        await directory.send("PATCH", "/api/fleet/hosts/h1", { json: { isDraining: true } });
        await add("h2");
        plane.startScheduler();
        expect((await taking).json).toMatchObject({ host: "h2", state: "ready" });
        await expect.poll(everything).toMatchObject({ rows: 1, pods: 1, held: 1 });
      });

      test("a place ends on its host when its Node is drained, and its Pod stays until all of it is stopped", async () => {
        const host = await add("h1");
        const { id } = (await take("ci")).json;
        nodes.holdsDeleted = true;
        // The Pod's process ignores the first signal: what is in the place has the grace period.
        const [pod] = await nodes.pods();
        await plane.kubectl("drain", "h1", "--force", "--ignore-daemonsets", "--timeout=1s").catch(() => undefined);
        await expect.poll(() => host.has.has(id)).toBe(false);
        await expect.poll(places).toEqual([]);
        await expect.poll(() => nodes.pods()).toEqual([]);
        expect(pod?.spec?.terminationGracePeriodSeconds).toBe(600);
        await expect.poll(everything).toEqual(NOTHING);
        expect((await take("ci")).json.detail).toContain("unschedulable");
      });

      test("a place outlives the silence of its Node, and ends where the Node is deleted", async () => {
        const host = await add("h1");
        const { id } = (await take("ci")).json;
        // Where all Nodes are silent, Kubernetes blames its own network.
        for (const name of ["healthy1", "healthy2"]) await nodes.add(name);
        nodes.silence("h1");
        const taints = async () => ((await nodes.node("h1")).spec?.taints ?? []).map(({ effect }) => effect);
        await expect.poll(taints).toContain("NoExecute");
        // Long enough to be evicted.
        await delay(1_500);
        expect((await nodes.pods())[0]?.metadata?.deletionTimestamp).toBeUndefined();
        expect(await places()).toMatchObject([{ state: "ready" }]);
        expect((await take("two")).json.detail).toContain("Kubernetes places it nowhere");
        await nodes.remove("h1");
        // As the garbage collector does within a minute.
        const [pod] = await nodes.pods();
        await plane.kubectl("-n", "berth", "delete", "pod", pod?.metadata?.name ?? "", "--force", "--grace-period=0");
        await expect.poll(() => host.has.has(id)).toBe(false);
        await expect.poll(everything).toEqual(NOTHING);
      });

      test("without Kubernetes nothing is granted and nothing is lost", async () => {
        const host = await add("h1");
        const { id } = (await take("ci", { seconds: 600 })).json;
        await plane.stopApi();
        stopping.push(() => plane.startApi());
        const refused = await take("two");
        expect(refused).toMatchObject({
          status: 503,
          json: { detail: expect.stringContaining("Kubernetes does not answer") },
        });
        expect(await places()).toMatchObject([{ name: "ci", state: "ready" }]);
        const json = { seconds: 1_200 };
        const extended = await directory.send("POST", `/api/fleet/places/${id}/extend`, { json, token: ann.token });
        expect(extended.status).toBe(200);
        // Its room is free once its host has stopped it; its Pod goes when Kubernetes is back.
        expect(await give(id)).toBe(204);
        expect(host.has.size).toBe(0);
        await plane.startApi();
        await expect.poll(everything).toEqual(NOTHING);
        // Its scheduler and its Nodes come back one after the other.
        await expect.poll(async () => (await take("two")).status).toBe(201);
      });

      test.each(["create", "get", "delete"] as const)(
        "a directory that dies at `%s` leaves nothing behind",
        async (step) => {
          // The directory that dies has the only keeper.
          await stopping.shift()?.();
          await add("h1");
          // What a program that was killed would do: neither the call nor anything after it.
          const pods = openPods();
          const dying = new Proxy(pods, {
            get: (target, name) => {
              if (name === step) return () => new Promise(() => undefined);
              const value = Reflect.get(target, name, target);
              return typeof value === "function" ? value.bind(target) : value;
            },
          });
          directory.placement = new KubernetesPlacement(
            dying,
            new FleetPlacings(directory.database.db),
            () => undefined,
          );
          directory.restart();
          if (step === "delete") nodes.waitingFor = () => "ErrImagePull";
          void take("ci");
          await expect
            .poll(everything)
            .toMatchObject(step === "delete" ? { rows: 0, pods: 1 } : { rows: 1, pods: step === "create" ? 0 : 1 });
          await directory.database.db.execute(sql`update directory.fleet_places set since = now() - interval '1 hour'`);
          openDirectory();
          await expect.poll(everything).toEqual(NOTHING);
        },
      );

      test("two directories at once grant nothing twice", async () => {
        for (const name of ["h1", "h2", "h3"]) await add(name);
        const first = directory.app;
        openDirectory();
        const second = directory.app;
        const answers = await Promise.all(
          Array.from({ length: 16 }, async (_, at) => {
            const body = JSON.stringify({ ...SIZE, cpus: 0.5, name: `p${at}`, ports: [String(9_000 + (at % 4))] });
            const headers = { authorization: `Bearer ${ann.token}`, "content-type": "application/json" };
            const request = new Request("http://directory.test/api/fleet/places", { method: "POST", headers, body });
            const answer = await (at % 2 === 0 ? first : second).fetch(request);
            return {
              status: answer.status,
              json: (await answer.json()) as { host?: string; ports?: readonly string[]; detail?: string },
            };
          }),
        );
        const granted = answers.filter(({ status }) => status === 201).map(({ json }) => `${json.host} ${json.ports}`);
        expect(new Set(granted).size).toBe(granted.length);
        expect(granted).toHaveLength(12);
        for (const { status, json } of answers)
          if (status !== 201) expect({ status, json }).toMatchObject({ status: 409 });
        await expect.poll(everything).toMatchObject({ rows: 12, ports: 12, pods: 12, held: 12 });
      });
    });
  },
);

/** Lets the keeper hear what the database says, as the service does. */
function listen(directory: TestDirectory, keeper: PodKeeper): () => void {
  const { signals } = directory;
  const publish = signals.publish.bind(signals);
  signals.publish = (signal) => {
    publish(signal);
    keeper.hear(signal);
  };
  return () => {
    signals.publish = publish;
  };
}
