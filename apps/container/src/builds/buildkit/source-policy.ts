import type { Rule__Output } from "../../../protos/types/buildkit/moby/buildkit/v1/sourcepolicy/Rule.d.ts";

/** A registry's name; those with a port that begin with 127. are left out, since the door is one of them. */
const DOMAIN = "([a-z0-9]+(?:[.-][a-z0-9]+)*)";
const HOST_WITH_PORT =
  "([a-z][a-z0-9.-]*|[02-9][a-z0-9.-]*|1(?:[013-9.-][a-z0-9.-]*)?|12(?:[0-689.-][a-z0-9.-]*)?):([0-9]+)";
const PATH = "([a-z0-9._/-]+)";
const TAG = "(:[A-Za-z0-9_][A-Za-z0-9_.-]*)?";
const DIGEST = "@sha256:([0-9a-f]{64})";

/** How an image's name in a build becomes its name at the door: what a digest pins is asked for by a tag. */
export function doorConversions(door: string): readonly (readonly [pattern: string, name: string])[] {
  return [
    [`^docker-image://${DOMAIN}/${PATH}${TAG}${DIGEST}$`, `docker-image://${door}/pin/\${1}/\${2}:\${4}`],
    [
      `^docker-image://${HOST_WITH_PORT}/${PATH}${TAG}${DIGEST}$`,
      `docker-image://${door}/pin-port/\${2}/\${1}/\${3}:\${5}`,
    ],
    [`^docker-image://${DOMAIN}/${PATH}${TAG}$`, `docker-image://${door}/image/\${1}/\${2}\${3}`],
    [`^docker-image://${HOST_WITH_PORT}/${PATH}${TAG}$`, `docker-image://${door}/port/\${2}/\${1}/\${3}\${4}`],
  ];
}

function rule(action: "ALLOW" | "DENY", identifier: string): Rule__Output {
  return { action, selector: { identifier, matchType: "REGEX" } };
}

/**
 * The source policy of a build: each image comes through the door, which decides on it. A user's build has no other source than the
 * client's own files, the context that Berth offers for it, and the web where the user may reach what the host reaches, since BuildKit fetches over the host's network.
 */
export function sourcePolicy(
  door: string,
  limits: "everything" | { readonly web: "allowed" | "denied"; readonly context?: string | undefined },
): { readonly version: string; readonly rules: Rule__Output[] } {
  const allowed =
    limits === "everything"
      ? []
      : [
          rule("DENY", ".*"),
          rule("ALLOW", `^docker-image://${door.replaceAll(".", "\\.")}/`),
          rule("ALLOW", "^local://"),
          ...(limits.context === undefined ? [] : [rule("ALLOW", `^${limits.context.replaceAll(".", "\\.")}$`)]),
          ...(limits.web === "allowed" ? [rule("ALLOW", "^(https?|git)://")] : []),
        ];
  const conversions = doorConversions(door).map(
    ([pattern, identifier]): Rule__Output => ({
      action: "CONVERT",
      selector: { identifier: pattern, matchType: "REGEX" },
      updates: { identifier },
    }),
  );
  return { version: "1", rules: [...allowed, ...conversions] };
}
