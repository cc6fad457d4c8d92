/** What a container's `HostConfig.NetworkMode` selects; `default` is Docker's other name for `bridge`. */
export type NetworkMode =
  | { readonly kind: "none" }
  | { readonly kind: "host" }
  | { readonly kind: "bridge" }
  | { readonly kind: "container"; readonly ref: string }
  | { readonly kind: "user"; readonly name: string };

/** Reads a namespace mode of the form `container:REF` and returns REF; undefined for every other mode (moby `container.NetworkMode`). */
export function sharedContainer(mode: string): string | undefined {
  return mode.startsWith("container:") ? mode.slice("container:".length) : undefined;
}

/** Whether a container in this mode has a network of its own, on which ports can be exposed. */
export function hasOwnNetwork(mode: string): boolean {
  const { kind } = parseNetworkMode(mode);
  return kind === "bridge" || kind === "user";
}

/** The name of the network that `mode` selects; undefined where another container's is shared. */
export function networkName(mode: string): string | undefined {
  const parsed = parseNetworkMode(mode);
  if (parsed.kind === "container") return undefined;
  return parsed.kind === "user" ? parsed.name : parsed.kind;
}

/** Reads `HostConfig.NetworkMode`. Every text is a mode: what Docker reserves no word for names a user network. */
export function parseNetworkMode(mode: string): NetworkMode {
  const ref = sharedContainer(mode);
  if (ref !== undefined) return { kind: "container", ref };
  if (mode === "none" || mode === "host") return { kind: mode };
  return mode === "" || mode === "default" || mode === "bridge" ? { kind: "bridge" } : { kind: "user", name: mode };
}
