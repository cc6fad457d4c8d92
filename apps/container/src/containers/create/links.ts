import { viewerOf } from "../../engine/owners.ts";
import type { Networks } from "../../networks/networks.ts";
import type { Container } from "../records/container.ts";
import { type Link, parseLink } from "../records/links.ts";
import type { Registry } from "../records/registry.ts";

interface LinkContext {
  readonly registry: Pick<Registry, "find">;
  readonly networks: Pick<Networks, "sandboxOf">;
}

/** The links of a container on the default bridge; `to` and `address` are undefined unless the target runs. */
export function linkedContainers(
  { registry, networks }: LinkContext,
  container: Container,
): readonly (Link & { readonly to: Container | undefined; readonly address: string | undefined })[] {
  if (container.endpoints.bridge === undefined) return [];
  return (container.hostConfig.Links ?? []).map(parseLink).map((link) => {
    const to = registry.find(viewerOf(container.owner), link.ref);
    const endpoints = to === undefined ? [] : (networks.sandboxOf(to.id)?.endpoints ?? []);
    return { ...link, to, address: endpoints.find(({ networkName }) => networkName === "bridge")?.address };
  });
}

/** The variables of all links to containers that run now, for a process that starts in a running container. */
export function currentLinkEnvironment(context: LinkContext, container: Container): readonly string[] {
  return linkedContainers(context, container).flatMap(({ to, alias, address }) =>
    to === undefined || address === undefined ? [] : linkEnvironment(container, to, alias, address),
  );
}

/**
 * The environment variables of a link (moby `daemon/links`): `DB_NAME`, `DB_PORT`, `DB_PORT_80_TCP…` for every exposed port, and the
 * target's own variables as `DB_ENV_…`.
 */
export function linkEnvironment(from: Container, to: Container, alias: string, address: string): readonly string[] {
  const prefix = alias.replaceAll("-", "_").toUpperCase();
  const ports = to.ports.exposed.map((key) => {
    const [port = "", protocol = "tcp"] = key.split("/");
    return { port, protocol, url: `${protocol}://${address}:${port}` };
  });
  const [lowest] = [...ports].sort((a, b) => Number(a.port) - Number(b.port));
  return [
    ...(lowest ? [`${prefix}_PORT=${lowest.url}`] : []),
    ...ports.flatMap(({ port, protocol, url }) => {
      const name = `${prefix}_PORT_${port}_${protocol.toUpperCase()}`;
      return [`${name}=${url}`, `${name}_ADDR=${address}`, `${name}_PORT=${port}`, `${name}_PROTO=${protocol}`];
    }),
    `${prefix}_NAME=/${from.name}/${alias}`,
    ...to.config.Env.filter((variable) => /^(?!HOME=|PATH=)[^=]+=/.test(variable)).map(
      (variable) => `${prefix}_ENV_${variable}`,
    ),
  ];
}

/** The lines of `/etc/hosts` for a link. */
export function linkHosts(to: Container, alias: string, address: string): string {
  return `${address}\t${[...new Set([alias, to.config.Hostname, to.name])].join(" ")}`;
}
