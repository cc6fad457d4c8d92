/** One way in which Berth's traffic may differ from dockerd's, and why. `*` in a pattern is any text. */
export interface Difference {
  /** The command with its number and, of one exchange, the request: `COMMAND > REQUEST`. */
  readonly where: string;
  readonly place: string;
  /** What dockerd and Berth have there; undefined is anything, and `nothing` where the place is missing. */
  readonly recorded?: string;
  readonly played?: string;
  readonly because: string;
}

export const DIFFERENCES: readonly Difference[] = [
  {
    where: "* > GET /version",
    place: "*/BuildTime",
    because: "a build from sources has no moment that says anything; the field is optional",
  },
  {
    where: "* > GET /info",
    place: "/Runtimes/io.containerd.runtime.v1.linux",
    because: "that runtime is gone from containerd; the others are there",
  },
  {
    where: "*",
    place: "/GraphDriver/Data",
    because:
      "layers are containerd's snapshots, whose folders are no client's business: null, as with Docker on containerd",
  },
  {
    where: "* > GET /containers/ID/logs*",
    place: "header content-type",
    because: "none on dockerd 20.10; later ones name the raw stream to clients of this version, too",
  },
  ...["api-version", "docker-experimental", "ostype", "server"].map((name) => ({
    where: "* > POST /containers/ID/attach*",
    place: `header ${name}`,
    because: "one way to take a connection over: an attach has the headers that an exec has",
  })),
  ...["status", "/Id", "/Warnings", "/message", "says"].map((place) => ({
    where: "*--network container:nope* > POST /containers/create",
    place,
    because: "a container to join has to be there at create, which keeps its id; dockerd fails at start",
  })),
  {
    where: "* > POST /images/create*",
    place: "says",
    recorded: "Get *",
    played: "Get *",
    because: "no registry is reached, and each says so in the words of what looks for it",
  },
  {
    where: "* > GET /images/nope*",
    place: "says",
    because: "the message of every other route, as later releases have it",
  },
  {
    where: "* > DELETE /volumes/*",
    place: "says",
    because: "whose container holds a volume is not told to whoever may not see that container",
  },
  {
    where: "*network rm bridge > GET /networks/bridge",
    place: "/IPAM/Config/*/Gateway",
    because: "dockerd, too, tells the default network's gateway, once it has been started a second time",
  },
];
