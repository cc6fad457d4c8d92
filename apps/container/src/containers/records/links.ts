import { EngineError } from "../../engine/errors.ts";
import type { Container } from "./container.ts";

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

/** The further names of a container: those that others link to it by, `web/db`. */
export function linkNames(container: Container, others: readonly Container[]): readonly string[] {
  return others
    .filter(({ owner }) => owner === container.owner)
    .flatMap(({ name, hostConfig: { Links } }) =>
      (Links ?? [])
        .map(parseLink)
        .filter(({ ref }) => ref === `/${container.name}`)
        .map(({ alias }) => `${name}/${alias}`),
    );
}

/** The container that `container` links to by an alias, by its name; undefined if no link has that alias. */
export function linkTarget(
  { hostConfig: { Links } }: Pick<Container, "hostConfig">,
  alias: string,
): string | undefined {
  return (Links ?? []).map(parseLink).find((link) => link.alias === alias)?.ref;
}
