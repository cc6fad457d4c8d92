import { EngineError } from "../../engine/errors.ts";
import type { Container } from "../records/container.ts";

/** A legacy link: the reference of the target container and its alias inside the linking one. */
export interface Link {
  readonly ref: string;
  readonly alias: string;
}

/** Parses `NAME` or `NAME:ALIAS`, each with an optional slash, as clients write it and inspect shows it (`/db:/web/db`). */
export function parseLink(link: string): Link {
  const [ref = "", alias = ref, ...rest] = link.split(":");
  const name = alias.split("/").at(-1) ?? "";
  if (ref === "" || name === "" || rest.length > 0) throw new EngineError("invalid", `bad format for links: ${link}`);
  return { ref, alias: name };
}

/** A link as inspect shows it: `/db:/web/db`. @param name the linking container's. */
export function formatLink({ ref, alias }: Link, name: string): string {
  return `/${ref.replace(/^\//, "")}:/${name}/${alias}`;
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
