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
    because: "administrators read there what this host keeps Berth from promising",
    sometimes: true,
  },
  { where: "*/_ping", place: "header builder-version", because: "no builder is recommended before another" },
  {
    where: "*",
    place: "*escriptor/annotations",
    because: "they are containerd's names of an image, among them those of other users",
  },
  ...["KernelMemory", "KernelMemoryTCP"].map((field) => ({
    where: "*GET */info",
    place: `/${field}`,
    because: "Berth sets no limit of kernel memory",
  })),
  { where: "*GET */info", place: "/CDISpecDirs/*", because: "there is no driver for devices" },
  {
    where: "*GET */info",
    place: "/RegistryConfig/Mirrors",
    because: "no mirrors are an empty list, as in IndexConfigs",
  },
  { where: "*GET */info", place: "/*Commit/Expected", because: "Berth knows the version of each" },
  {
    where: "*GET */info",
    place: "/Runtimes/*/status",
    because: "optional, and runc's own features are no promise of Berth",
  },
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
    because: "Berth knows the names from create on, and gives them on user networks alone",
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
    because: "Berth warns of a limit that it does not set at every version",
  },
  { where: "*v-later/update *", place: "/Warnings", because: "no warnings are an empty list" },
  { where: '*"Type":"image"*', place: "/Warnings/*", because: "mounts of images are no experiment here" },
];

/** Requests that are answered otherwise altogether, and why. */
const OTHER_ANSWERS: readonly (readonly [where: string, because: string])[] = [
  ['GET /images/json?filters={"reference":["["]}', "a malformed pattern is refused, not ignored"],
  ["POST /images/busybox/tag", "a name is required; dockerd answers 200 and does nothing"],
  ["POST /containers/r-exited/stop?signal=SIGNONE", "an unknown signal is refused in every state of the container"],
  ["tar=garbage POST /images/create?fromSrc=-*", "a body that is no archive is the client's fault"],
  ['*"Driver":"overlay"*', "there is no swarm: 503, as of everything that needs one"],
  ['*"Scope":"nope"*', "there is no swarm: 503, as of everything that needs one"],
  ['*"Driver":"macvlan"*', "there is no such driver"],
  ['*"ConfigOnly":true*', "not supported: refused"],
  ["*host_binding_ipv4*", "the refusal says which values are supported"],
  ["*gateway_mode_ipv4*", "the refusal says which values are supported"],
  ['*"Subnet":"10.251.0.1/24"*', "a subnet is what its address and length mean, whatever the other bits"],
  ['*"ReadOnlyForceRecursive":true*', "refused at create, where dockerd fails at start"],
  ['*"ReadOnlyNonRecursive":true*', "refused at create, where dockerd fails at start"],
  ['*"DeviceRequests"*', "refused at create, where dockerd fails at start"],
  ['*"writable-cgroups=true"*', "refused: a container must not change limits that it shares"],
  ['*"StorageOpt":{"size"*', "a size that no store keeps is refused, not ignored"],
  ['*"b=::1"*', "dockerd splits at the first colon, inside of the address"],
  ['*"Volumes":{"/":{}}*', "refused at create, where dockerd fails at start"],
  ['*"Volumes":{"rel":{}}*', "refused at create, where dockerd fails at start"],
  ["24. POST /exec/$EXEC/start *", "without an exec its path has two slashes, and no path means another"],
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
    because: "Berth takes an address of a subnet that it drew itself",
  },
  {
    where: "DELETE /networks/r-net",
    place: "says",
    because: "whose container holds a network is not told to every user",
  },
  { where: "*v-bad/start", place: "says", because: "runc's own words, of its release" },
  { where: "*v-lost/start", place: "says", because: "names what is missing" },
  { where: "*signal=SIGNONE", place: "says", because: "names the signal" },
  { where: "29. POST /exec/*", place: "says", because: "the exec has ended, or is about to", sometimes: true },
];

export const LATER_DIFFERENCES: readonly Difference[] = [
  ...BELOW_1_24,
  ...FIELDS,
  ...OTHER_ANSWERS.map(([where, because]) => ({ where, place: "*", because })),
  ...PLACES,
];
