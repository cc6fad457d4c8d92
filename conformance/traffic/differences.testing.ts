/** One way in which Berth's traffic may differ from dockerd's, and why. `*` in a pattern is any text. */
export interface Difference {
  /** The command with its number and, of one exchange, the request: `COMMAND > REQUEST`. */
  readonly where: string;
  readonly place: string;
  /** What dockerd and Berth have there; undefined is anything, and `nothing` where the place is missing. */
  readonly recorded?: string;
  readonly played?: string;
  readonly because: string;
  /** It depends on the host or on who comes first, and may be absent. */
  readonly sometimes?: true;
}

export const DIFFERENCES: readonly Difference[] = [
  {
    where: "* > GET /version",
    place: "*/BuildTime",
    because: "a build from sources has no moment that says anything; the field is optional",
  },
  ...["api-version", "docker-experimental", "ostype", "server"].map((name) => ({
    where: "* > POST /containers/ID/attach*",
    place: `header ${name}`,
    because: "one way to take a connection over: an attach has the headers that an exec has",
  })),
  {
    where: "*--network container:nope* > POST /containers/ID/start",
    place: "status",
    because: "a container to join that is not there is a 404, and no fault of the engine's",
  },
  {
    where: "* > DELETE /volumes/*",
    place: "says",
    because: "whose container holds a volume is not told to whoever may not see that container",
  },
  {
    where: "* > GET /containers/*/json*",
    place: "/NetworkSettings/PortMapping",
    because: "null at every version, as the documents of the first ones have it",
  },
  {
    where: "* > *",
    place: "*escriptor/annotations",
    because: "containerd's names of an image are of no use to a client, and tell a user of names that are not its own",
  },
  ...["KernelMemory", "KernelMemoryTCP"].map((field) => ({
    where: "* > GET /info",
    place: `/${field}`,
    because: "no limit of kernel memory is set, whatever the kernel has",
  })),
  { where: "* > GET /info", place: "/RegistryConfig/Mirrors", because: "no mirrors are an empty list" },
  { where: "* > GET /info", place: "/CDISpecDirs/*", because: "there is no driver for devices" },
  { where: "* > GET /info", place: "/Runtimes/*/status", because: "what the runtime can do is told by its refusals" },
  { where: "* > GET /info", place: "/Containerd", because: "containerd's socket is no client's business" },
  { where: "* > GET /info", place: "/*Commit/Expected", because: "the version is known of each, and told" },
  {
    where: "* > *",
    place: "*/RepoDigests*",
    because: "a digest names what a registry has: an image that was made here has none",
  },
  {
    where: "* > GET /containers/*",
    place: "*/DNSNames",
    because: "only user networks have names, and they are known from create on",
  },
  {
    where: "* > GET /containers/json*",
    place: "/*/SizeRw",
    because: "the bytes of files are counted, not those of folders",
  },
  {
    where: "17. create *",
    place: "says",
    because: "no registry is reached, and each says so in the words of what looks for it",
  },
  {
    where: "* > DELETE /networks/*",
    place: "says",
    because: "whose container holds a network is not told to every user",
  },
  { where: "*busybox /nope > POST /containers/ID/start", place: "says", because: "runc's own words, of its release" },
  { where: "* > HEAD /_ping", place: "header builder-version", because: "no builder is recommended before another" },
  {
    where: "* > GET /info",
    place: "/Warnings",
    because: "what keeps a promise from holding on this host is told to administrators",
    sometimes: true,
  },
];
