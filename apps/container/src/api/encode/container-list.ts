import { listPorts } from "@berth/port-spec";
import type { ContainerView } from "../../containers/containers.ts";
import type { Container } from "../../containers/records/container.ts";
import { hasOwnNetwork } from "../../engine/network-mode.ts";
import { type ApiVersion, fieldsAt } from "../versions/changes.ts";
import { manifestDescriptor } from "./descriptor-shape.ts";
import { networksShape } from "./endpoint-shape.ts";
import { mountShape } from "./mount-shape.ts";
import { formatStatus } from "./status-text.ts";

/** The command line in `docker ps`, with quotes around words that contain a space. */
function commandText({ container: { config } }: ContainerView): string {
  const [path = "", ...args] = [...(config.Entrypoint ?? []), ...(config.Cmd ?? [])];
  return [path, ...args.map((arg) => (arg.includes(" ") ? `'${arg}'` : arg))].join(" ");
}

function portsOf({ container, assignments, internal }: ContainerView) {
  if (internal) return [];
  const own = hasOwnNetwork(container.hostConfig.NetworkMode);
  const live = container.state.status === "running" || container.state.status === "paused";
  return live ? listPorts(own ? container.ports.exposed : [], assignments) : [];
}

/** A list shows the effective network mode, not the requested one (moby `container/view.go`). */
function networksOf(view: ContainerView, version: ApiVersion) {
  return Object.fromEntries(
    Object.entries(networksShape(view, version)).map(([name, endpoint]) => [
      name,
      { ...endpoint, Links: null, Aliases: null, DriverOpts: null, DNSNames: null },
    ]),
  );
}

/** The fields of an entry before its `Status`, with those of the given version. */
function headOf(view: ContainerView, version: ApiVersion): object {
  const { container, size } = view;
  return fieldsAt(version, "containerList", {
    Id: container.id,
    Names: [container.name, ...(view.linkNames ?? [])].map((name) => `/${name}`),
    Image: view.imageName,
    ImageID: container.imageId,
    ...(view.manifest !== undefined && { ImageManifestDescriptor: manifestDescriptor(view.manifest) }),
    Command: commandText(view),
    Created: Math.floor(Date.parse(container.createdAt) / 1000),
    Ports: portsOf(view),
    ...(size !== undefined && { ...(size.writable !== 0 && { SizeRw: size.writable }), SizeRootFs: size.total }),
    Labels: container.config.Labels,
    State: container.state.status,
  });
}

/** The fields after it. */
function tailOf(view: ContainerView, version: ApiVersion): object {
  const { NetworkMode, Annotations } = view.container.hostConfig;
  return fieldsAt(version, "containerList", {
    HostConfig: { NetworkMode, ...(Annotations !== undefined && { Annotations }) },
    NetworkSettings: { Networks: networksOf(view, version) },
    Mounts: view.container.mounts.map(mountShape),
  });
}

/** One entry of `GET /containers/json`, with the fields of the given version. `now` is in milliseconds. */
export function listShape(view: ContainerView, now: number, version: ApiVersion): object {
  return { ...headOf(view, version), Status: formatStatus(view.container.state, now), ...tailOf(view, version) };
}

/** An entry's JSON around its `Status`, and what of a view it was made of. */
interface Text {
  readonly version: ApiVersion;
  readonly parts: readonly unknown[];
  readonly head: string;
  readonly tail: string;
}

/** By the container's record, which a change replaces. */
const TEXTS = new WeakMap<Container, Text>();

/** What an entry shows of a view besides the record. */
function partsOf({ imageName, manifest, linkNames, internal, size, assignments, endpoints }: ContainerView) {
  return [imageName, manifest, linkNames, internal, size, assignments, endpoints];
}

/** Whether both are of the same values. Most are the very same, for which `isDeepStrictEqual` takes as long as for others. */
function isAlike(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  const keys = Object.keys(one);
  const hasLike = (key: string) => Object.hasOwn(other, key) && isAlike(Reflect.get(one, key), Reflect.get(other, key));
  return keys.length === Object.keys(other).length && keys.every(hasLike);
}

function textOf(view: ContainerView, version: ApiVersion): Text {
  const parts = partsOf(view);
  const known = TEXTS.get(view.container);
  if (known?.version === version && isAlike(known.parts, parts)) return known;
  const head = JSON.stringify(headOf(view, version)).slice(0, -1);
  const tail = JSON.stringify(tailOf(view, version)).slice(1);
  const made = { version, parts, head, tail };
  TEXTS.set(view.container, made);
  return made;
}

/** The JSON of {@link listShape}. All but its `Status` is kept until something else of it changes: lists have many entries, and are asked for often. */
export function listText(view: ContainerView, now: number, version: ApiVersion): string {
  const { head, tail } = textOf(view, version);
  return `${head},"Status":${JSON.stringify(formatStatus(view.container.state, now))},${tail}`;
}
