/** The network selected by a container's `HostConfig.NetworkMode`; `default` is Docker's alias of `bridge`. */
export type NetworkMode =
  | { readonly kind: "none" }
  | { readonly kind: "host" }
  | { readonly kind: "bridge" }
  | { readonly kind: "container"; readonly ref: string }
  | { readonly kind: "user"; readonly name: string };

/** Returns REF of a namespace mode `container:REF`; undefined for every other mode (moby `container.NetworkMode`). */
export function sharedContainer(mode: string): string | undefined {
  return mode.startsWith("container:") ? mode.slice("container:".length) : undefined;
}

/** Whether a container in this mode has its own network, on which ports can be exposed. */
export function hasOwnNetwork(mode: string): boolean {
  const { kind } = parseNetworkMode(mode);
  return kind === "bridge" || kind === "user";
}

/** The name of the network that `mode` selects; undefined if the container shares another container's. */
export function networkName(mode: string): string | undefined {
  const parsed = parseNetworkMode(mode);
  if (parsed.kind === "container") return undefined;
  return parsed.kind === "user" ? parsed.name : parsed.kind;
}

/** Parses `HostConfig.NetworkMode`. Every text is valid: any name that Docker does not reserve is a user network. */
export function parseNetworkMode(mode: string): NetworkMode {
  const ref = sharedContainer(mode);
  if (ref !== undefined) return { kind: "container", ref };
  if (mode === "none" || mode === "host") return { kind: mode };
  return mode === "" || mode === "default" || mode === "bridge" ? { kind: "bridge" } : { kind: "user", name: mode };
}
