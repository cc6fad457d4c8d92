import type { Difference } from "../differences.testing.ts";

const LEGACY = "below 1.24 the recording is of dockerd 20.10, and Berth answers with the fields and words of today";

/** Where today's answer to a client below API 1.24 differs from that of dockerd 20.10. */
const BELOW_1_24: readonly Difference[] = [
  { where: "*", place: "header api-version", recorded: "1.41", played: "1.51", because: LEGACY },
  ...["GwPriority", "DNSNames"].map((field) => ({
    where: "*GET /containers/*",
    place: `*/NetworkSettings/Networks/*/${field}`,
    recorded: "nothing",
    because: LEGACY,
  })),
  ...["KernelMemory", "KernelMemoryTCP"].map((field) => ({
    where: "*GET /containers/*/json*",
    place: `/HostConfig/${field}`,
    recorded: "number",
    played: "nothing",
    because: LEGACY,
  })),
  ...[
    "Content-Type specified *",
    "Invalid filter *",
    "Config cannot be empty *",
    "invalid restart policy 'sometimes'",
  ].map((recorded) => ({ where: "*", place: "says", recorded, because: LEGACY })),
];

/** Fields that say something of dockerd's own. */
const FIELDS: readonly Difference[] = [
  {
    where: "*GET */info",
    place: "/Warnings",
    because: "what keeps a promise from holding on this host is told to administrators",
    sometimes: true,
  },
  { where: "*/_ping", place: "header builder-version", because: "no builder is recommended before another" },
  {
    where: "*",
    place: "*escriptor/annotations",
    because: "containerd's names of an image are of no use to a client, and tell a user of names that are not its own",
  },
  ...["KernelMemory", "KernelMemoryTCP"].map((field) => ({
    where: "*GET */info",
    place: `/${field}`,
    because: "no limit of kernel memory is set, whatever the kernel has",
  })),
  { where: "*GET */info", place: "/CDISpecDirs/*", because: "there is no driver for devices" },
  {
    where: "*GET */info",
    place: "/RegistryConfig/Mirrors",
    because: "no mirrors are an empty list, as in IndexConfigs",
  },
  { where: "*GET */info", place: "/*Commit/Expected", because: "the version is known of each, and told" },
  { where: "*GET */info", place: "/Runtimes/*/status", because: "what the runtime can do is told by its refusals" },
  { where: "*GET */info", place: "/Containerd", because: "containerd's socket is no client's business" },
  { where: "*", place: "*/SizeRw", because: "the bytes of files are counted, not those of folders" },
  {
    where: "GET /containers/*/changes",
    place: "/",
    because: "no changes are null, as dockerd has it for most",
    sometimes: true,
  },
  {
    where: "GET /containers/*/stats?stream=0&one-shot=1",
    place: "/*",
    because: "names the container, as every other answer does",
  },
  {
    where: "GET /containers/*/export",
    place: "body",
    because: "the archive's first bytes look like a frame's by chance",
    sometimes: true,
  },
  {
    where: "*",
    place: "*/RepoDigests/*",
    recorded: "string",
    played: "nothing",
    because: "a digest names what a registry has",
  },
  {
    where: "GET /networks/*",
    place: "/IPAM/Config",
    because: "no configuration is an empty list, as in the list of networks",
  },
  {
    where: "GET /system/df*",
    place: "/Images/*/VirtualSize",
    because: "dockerd gives one answer to requests of several versions at once",
    sometimes: true,
  },
  {
    where: "*/json*",
    place: "*/DNSNames",
    because: "the names are known from create on, and only user networks have any",
  },
  {
    where: "*v-later*/json*",
    place: "/HostConfig/Mounts/*/BindOptions/ReadOnlyNonRecursive",
    because: "a read-only bind is read-only all the way down at every version: see the decision on the newest version",
  },
  ...["/Config/ExposedPorts", "/*/Ports/*"].map((place) => ({
    where: "*v-later*",
    place,
    because: "a published port is exposed",
  })),
  ...["/progress", "/progressDetail/*", "/aux"].map((place) => ({
    where: "*POST /images/*",
    place,
    because:
      "a transfer tells how far it is while it lasts, and its digest in the end, as with Docker's other image store",
  })),
  {
    where: "*KernelMemory*",
    place: "/Warnings/*",
    because: "a limit that is not set is told, even where its deprecation is as old as here",
  },
  { where: "*v-later/update *", place: "/Warnings", because: "no warnings are an empty list" },
];

/** Requests that are answered otherwise altogether, and why. */
const OTHER_ANSWERS: readonly (readonly [where: string, because: string])[] = [
  ['GET /images/json?filters={"reference":["["]}', "a pattern that cannot be read is told"],
  ["POST /images/busybox/tag", "a name is required; dockerd answers 200 and does nothing"],
  ["POST /containers/r-exited/stop?signal=SIGNONE", "a signal that does not exist is a mistake in every state"],
  ["tar=garbage POST /images/create?fromSrc=-*", "a body that is no archive is the client's fault"],
  ['*"Driver":"overlay"*', "there is no swarm: 503, as of everything that needs one"],
  ['*"Scope":"nope"*', "there is no swarm: 503, as of everything that needs one"],
  ['*"Driver":"macvlan"*', "there is no such driver"],
  ['*"ConfigOnly":true*', "not supported, and told"],
  ["*host_binding_ipv4*", "an option that is not known is kept and shown, as those of other drivers are"],
  ["*gateway_mode_ipv4*", "an option that is not known is kept and shown, as those of other drivers are"],
  ['*"Subnet":"10.251.0.1/24"*', "a subnet is what its address and length mean, whatever the other bits"],
  ['*"Type":"image"*', "mounts of images are not supported, and told"],
  ['*"ReadOnlyForceRecursive":true*', "contradicting options are told at create, where dockerd fails at start"],
  ['*"ReadOnlyNonRecursive":true*', "contradicting options are told at create, where dockerd fails at start"],
  ['*"DeviceRequests"*', "refused at create, where dockerd fails at start"],
  ['*"writable-cgroups=true"*', "a container must not change limits that it shares, and is told"],
  ['*"StorageOpt":{"size"*', "a size that no store keeps is refused, not ignored"],
  ['*"b=::1"*', "dockerd splits at the first colon, in the midst of the address"],
  ['*"Volumes":{"/":{}}*', "refused at create, where dockerd fails at start"],
  ['*"Volumes":{"rel":{}}*', "refused at create, where dockerd fails at start"],
  ['*"User":"nobody-here"}', "users are looked up when the exec starts, in the files that the container has then"],
  ["24. POST /exec/$EXEC/start *", "the exec before it was not refused, so there is one"],
  ['*"all":["*', "a filter that the version does not know is not counted twice"],
  ["*platforms=*", "an image of one platform has nothing of another to remove"],
];

/** Places of single requests. */
const PLACES: readonly Difference[] = [
  ...["status", "health"].map((key) => ({
    where: `GET /containers/json?filters={"${key}":["nope"]}`,
    place: "says",
    because: "names the value, in the words of every other filter",
  })),
  { where: 'GET /images/json?filters={"until":["soon"]}', place: "says", because: "says which filter is wrong" },
  { where: "*$REGISTRY/r/nope*", place: "says", because: "the registry's own words" },
  { where: "*plan9*", place: "says", because: "names the image as it was asked for" },
  { where: "*arm64*", place: "says", because: "names the image as it was asked for" },
  { where: "*platform=a/b/c/d*", place: "says", because: "says what would be right" },
  {
    where: "*IPv4Address*",
    place: "says",
    because: "an address of a subnet that was drawn is as good as one of a subnet that was given",
  },
  {
    where: "DELETE /networks/r-net",
    place: "says",
    because: "whose container holds a network is not told to every user",
  },
  { where: "*v-bad/start", place: "says", because: "runc's own words, of its release" },
  { where: "*v-lost/start", place: "says", because: "names what is missing" },
  { where: "*/resize?h=many*", place: "says", because: "says which parameter is wrong" },
  { where: "*signal=SIGNONE", place: "says", because: "names the signal" },
  { where: "29. POST /exec/*", place: "says", because: "the exec has ended, or is about to", sometimes: true },
];

export const LATER_DIFFERENCES: readonly Difference[] = [
  ...BELOW_1_24,
  ...FIELDS,
  ...OTHER_ANSWERS.map(([where, because]) => ({ where, place: "*", because })),
  ...PLACES,
];
