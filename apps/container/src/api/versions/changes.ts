/** The minor number of a Docker Engine API version; the major is 1 in all of them. */
export type ApiVersion = number;

/** A change of behaviour, as docs/api.md lists it. */
interface Change {
  readonly since: ApiVersion;
  /** What holds from that version on. */
  readonly what: string;
}

/** Changes of behaviour by API version (Docker's API version history). */
export const CHANGES = {
  unchangedIs304: { since: 13, what: "`start` of a running container is a 304" },
  mountsInInspect: { since: 20, what: "inspect lists `Mounts`, not `Volumes`" },
  networksInInspect: { since: 21, what: "inspect has `NetworkSettings.Networks`" },
  sizeInInspect: { since: 21, what: "inspect takes `size`" },
  jsonErrors: { since: 24, what: "errors are JSON" },
  startBodyRefused: { since: 24, what: "`start` takes no body" },
  autoRemove: { since: 25, what: "create honours `AutoRemove`" },
  nameValueSecurityOptions: { since: 25, what: "`info` names security options as `name=`" },
  binaryWebSocket: { since: 28, what: "`attach/ws` sends binary messages" },
  networkListWithoutContainers: { since: 28, what: "the list of networks omits their containers" },
  waitConditions: { since: 30, what: "`wait` takes `condition` and refuses unknown ones" },
  pullPlatform: { since: 32, what: "pull and import take `platform`" },
  privateIpcDefault: { since: 40, what: "the IPC namespace is private by default" },
  nonRecursiveBinds: { since: 40, what: "create honours `NonRecursive` and `KernelMemoryTCP`" },
  pidsLimitInUpdate: { since: 40, what: "update takes `PidsLimit`" },
  createPlatform: { since: 41, what: "create takes `platform`" },
  statsOneShot: { since: 41, what: "`stats` takes `one-shot`" },
  referenceFilterOnly: { since: 41, what: "the list of images ignores `filter`" },
  multiplexedContentType: { since: 42, what: "framed streams are `application/vnd.docker.multiplexed-stream`" },
  webSocketStreams: { since: 42, what: "`attach/ws` attaches the streams that the query names" },
  stopSignal: { since: 42, what: "stop and restart take `signal`" },
  pruneAnonymousVolumesOnly: {
    since: 42,
    what: "prune removes anonymous volumes alone, unless the filter `all` is set",
  },
  consoleSize: { since: 42, what: "create and exec honour `ConsoleSize`" },
  mountOptionsMatch: { since: 42, what: "options of a mount must match its type; `CreateMountpoint`" },
  kernelMemoryIgnored: { since: 42, what: "create and update ignore `KernelMemory`" },
  clusterVolumes: { since: 42, what: "create of a volume takes `ClusterVolumeSpec`, which needs a swarm" },
  diskUsageTypes: { since: 42, what: "`system/df` takes `type`" },
  sharedSize: { since: 42, what: "the list of images takes `shared-size`" },
  annotations: { since: 43, what: "create honours `Annotations`" },
  untaggedImagesEmpty: { since: 43, what: "the list of images shows untagged ones with empty lists, not `<none>`" },
  createdOmitted: { since: 44, what: "inspect of an image omits an unknown `Created`" },
  startInterval: { since: 44, what: "create honours `StartInterval`" },
  severalEndpoints: { since: 44, what: "create joins several networks" },
  endpointMacAddress: {
    since: 44,
    what: "create and connect take `MacAddress` of an endpoint; the container-wide one warns",
  },
  forceRecursiveReadOnly: { since: 44, what: "binds take `ReadOnlyNonRecursive` and `ReadOnlyForceRecursive`" },
  volumeSubpath: { since: 45, what: "mounts of volumes take `Subpath`" },
  aliasesAsAsked: { since: 45, what: "inspect shows `Aliases` as requested, without id and host name" },
  pushPlatform: { since: 46, what: "push takes `platform`" },
  manifestsInList: { since: 47, what: "the list of images takes `manifests`" },
  gatewayPriority: { since: 48, what: "endpoints take `GwPriority`" },
  networksWithoutIPv4: { since: 48, what: "networks take `EnableIPv4`; before, each has IPv4" },
  pruneSpaces: {
    since: 48,
    what: "prune of the build cache takes `reserved-space`, `max-used-space` and `min-free-space`; the last is refused",
  },
  imageMounts: { since: 48, what: "mounts of type `image`" },
  interfaceSysctlsRefused: {
    since: 48,
    what: "sysctls of an interface are an endpoint's `DriverOpts`; before, those of `eth0` move there",
  },
  volumeDriverWarning: { since: 48, what: "create warns that `VolumeDriver` has no effect on `Mounts`" },
  manifestsInInspect: { since: 48, what: "inspect of an image takes `manifests`" },
  transferPlatform: { since: 48, what: "history, save and load take `platform`" },
  inspectPlatform: { since: 49, what: "inspect of an image takes `platform`" },
  removePlatforms: { since: 50, what: "removal of an image takes `platforms`" },
  imageContainers: { since: 51, what: "the list of images counts `Containers`; before, it is -1" },
} as const satisfies Readonly<Record<string, Change>>;

/** What clients are told that still ask for it. */
export const KERNEL_MEMORY_IGNORED = "A kernel memory limit is ignored since API 1.42.";

/** The version of each change. A route checks `version >= SINCE.x`; no other part of the service knows version numbers. */
export const SINCE = Object.fromEntries(Object.entries(CHANGES).map(([name, { since }]) => [name, since])) as {
  readonly [Name in keyof typeof CHANGES]: ApiVersion;
};

/** Fields of an answer that a version added or dropped. `/` goes into an object, `*` stands for each of its values or items. */
interface FieldChange {
  readonly since: ApiVersion;
  readonly adds?: readonly string[];
  readonly drops?: readonly string[];
}

const IMAGE_FIELDS: readonly FieldChange[] = [
  { since: 44, drops: ["VirtualSize"] },
  { since: 48, adds: ["Descriptor"] },
];

/** The fields of an image's configuration that are a container's. */
const NOT_OF_IMAGES = [
  ...["Hostname", "Domainname", "AttachStdin", "AttachStdout", "AttachStderr"],
  ...["Tty", "OpenStdin", "StdinOnce", "Image"],
].map((field) => `Config/${field}`);

/** Fields of answers by API version. A shape gives every field that any version has; {@link fieldsAt} leaves out the others. */
export const FIELD_CHANGES = {
  containerInspect: [{ since: 48, adds: ["ImageManifestDescriptor"] }],
  containerList: [
    { since: 46, adds: ["HostConfig/Annotations"] },
    { since: 48, adds: ["ImageManifestDescriptor"] },
  ],
  imageInspect: [...IMAGE_FIELDS, { since: 50, drops: NOT_OF_IMAGES }],
  imageList: IMAGE_FIELDS,
  diskUsage: [
    { since: 42, drops: ["BuilderSize"] },
    { since: 44, drops: ["Images/*/VirtualSize"] },
  ],
  info: [
    {
      since: 47,
      drops: ["AllowNondistributableArtifactsCIDRs", "AllowNondistributableArtifactsHostnames"].map(
        (field) => `RegistryConfig/${field}`,
      ),
    },
    {
      since: 49,
      adds: ["FirewallBackend"],
      drops: ["ContainerdCommit/Expected", "RuncCommit/Expected", "InitCommit/Expected"],
    },
    { since: 50, drops: ["BridgeNfIptables", "BridgeNfIp6tables"] },
  ],
} as const satisfies Readonly<Record<string, readonly FieldChange[]>>;

/** The value without a field, which is undefined then: to copy each other field by name is most of what a long list costs. */
function without(value: unknown, [field = "", ...below]: readonly string[]): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return field === "*" ? value.map((item) => without(item, below)) : value;
  if (field === "*")
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, without(inner, below)]));
  if (!Object.hasOwn(value, field)) return value;
  const inner: unknown = Reflect.get(value, field);
  const rest = below.length === 0 ? undefined : without(inner, below);
  return rest === inner ? value : { ...value, [field]: rest };
}

const ABSENT = new Map<string, readonly (readonly string[])[]>();

/** The paths of an answer's fields that a version does not have. */
function absentAt(version: ApiVersion, answer: keyof typeof FIELD_CHANGES): readonly (readonly string[])[] {
  const key = `${version} ${answer}`;
  const known = ABSENT.get(key);
  if (known !== undefined) return known;
  const changes: readonly FieldChange[] = FIELD_CHANGES[answer];
  const paths = changes.flatMap(({ since, adds = [], drops = [] }) => (version < since ? adds : drops));
  const absent = paths.map((path) => path.split("/"));
  ABSENT.set(key, absent);
  return absent;
}

/** An answer with the fields that it has at a version, of all that it has at any. One that it does not have may be there as undefined. */
export function fieldsAt(version: ApiVersion, answer: keyof typeof FIELD_CHANGES, body: object): object {
  return absentAt(version, answer).reduce<object>((rest, path) => without(rest, path) as object, body);
}
