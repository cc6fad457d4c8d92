import { listPorts } from "@berth/port-spec";
import type { ContainerView } from "../../containers/containers.ts";
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

/** One entry of `GET /containers/json`, with the fields of the given version. `now` is in milliseconds. */
export function listShape(view: ContainerView, now: number, version: ApiVersion) {
  return fieldsAt(version, "containerList", everyField(view, now, version));
}

function everyField(view: ContainerView, now: number, version: ApiVersion) {
  const { container, size } = view;
  const { NetworkMode, Annotations } = container.hostConfig;
  return {
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
    Status: formatStatus(container.state, now),
    HostConfig: { NetworkMode, ...(Annotations !== undefined && { Annotations }) },
    NetworkSettings: { Networks: networksOf(view, version) },
    Mounts: container.mounts.map(mountShape),
  };
}
