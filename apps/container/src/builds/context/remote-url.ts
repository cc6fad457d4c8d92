import type { Result } from "@berth/port-spec";
import { err, ok } from "@berth/port-spec";

/** A context elsewhere: a file over HTTP, or a part of a Git repository. */
export type RemoteContext =
  | { readonly kind: "file"; readonly url: string }
  | { readonly kind: "git"; readonly url: string; readonly ref: string; readonly folder: string };

const REF = /^[A-Za-z0-9_][\w.+/@-]*$/;

function httpUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return ["http:", "https:", "git:"].includes(url.protocol) && url.hostname !== "" ? url : undefined;
}

/**
 * Parses `remote` of a build: `https://host/file`, `https://host/repository.git#ref:folder`, `git://…`, `github.com/…` (moby
 * `urlutil` and `gitutils`). The error says what would be right.
 */
export function parseRemote(text: string): Result<RemoteContext, string> {
  const shown = JSON.stringify(text.slice(0, 200));
  if (text.startsWith("git@") || text.startsWith("ssh://"))
    return err(`remote ${shown}: Git over SSH needs a key, which a build does not have; use https://`);
  const url = httpUrl(text.startsWith("github.com/") ? `https://${text}` : text);
  if (url === undefined)
    return err(`remote ${shown}: want a URL with http, https or git, such as https://host/repository.git#main`);
  const fragment = decodeURIComponent(url.hash.replace(/^#/, "").replace(/%(?![0-9a-fA-F]{2})/g, "%25"));
  url.hash = "";
  // The builder would take `$` for a variable.
  const href = url.href.replaceAll("$", "%24");
  const isGit = url.protocol === "git:" || text.startsWith("github.com/") || url.pathname.endsWith(".git");
  if (!isGit) return ok({ kind: "file", url: href });
  const colon = fragment.indexOf(":");
  const ref = (colon < 0 ? fragment : fragment.slice(0, colon)) || "HEAD";
  if (!REF.test(ref) || ref.includes(".."))
    return err(`remote ${shown}: ${JSON.stringify(ref)} is no branch, tag or commit`);
  return ok({ kind: "git", url: href, ref, folder: colon < 0 ? "" : fragment.slice(colon + 1) });
}
