import type { Hono } from "hono";
import { z } from "zod";
import { EngineError } from "../../engine/errors.ts";
import type { RegistryAuth } from "../../images/images.ts";
import { formatReference, withDefaultTag } from "../../images/reference/reference.ts";
import { domainOf } from "../../images/transfer/check-auth.ts";
import { namedReference } from "../../images/transfer/pull.ts";
import {
  assertImportAllowed,
  assertLoginAllowed,
  assertPullAllowed,
  heldNamesOf,
  imageNamer,
  imageViewer,
  networkScope,
} from "../../policy/images.ts";
import { onePlatform, platformParameter } from "../decode/platform-parameter.ts";
import { flag, parseQuery, text } from "../decode/query.ts";
import { authConfig, parseRegistryAuth } from "../decode/registry-auth.ts";
import { parseJson, parseValue, readBody, requireJson } from "../go-json/json-body.ts";
import type { Deps, Edge, EdgeContext } from "../http/edge.ts";
import { bodyStream } from "../http/request-body.ts";
import { begun, jsonLines, streamBody } from "../http/streaming.ts";
import { SINCE } from "../versions/changes.ts";
import { streamed } from "./archives.ts";

const createQuery = z.object({
  fromImage: text(),
  fromSrc: text(),
  repo: text(),
  tag: text(),
  message: text(),
  platform: text(),
});
const pushQuery = z.object({ tag: text(), platform: text() });
const loadQuery = z.object({ quiet: flag({ absent: true }) });

const TAR_TYPE = { "Content-Type": "application/x-tar" };

function absent(value: string): string | undefined {
  return value === "" ? undefined : value;
}

/** Image transfers (pull, push, load, import, save), and registry queries for credentials and manifests. */
export function imageTransferRoutes(app: Hono<Edge>, { images, log }: Deps): void {
  const progress = (context: EdgeContext, lines: AsyncIterable<unknown>, gone: AbortController): Response => {
    const report = (fault: unknown): void => log.error({ err: fault, path: context.req.path }, "transfer failed");
    return context.body(streamBody(jsonLines(lines, report), gone), 200, { "Content-Type": "application/json" });
  };

  const headerAuth = (context: EdgeContext): RegistryAuth | undefined =>
    parseRegistryAuth(context.req.header("x-registry-auth"));

  app.post("/images/create", async (context) => {
    const query = parseQuery(createQuery, context.req.query());
    const actor = context.get("actor");
    const platform = context.get("version") < SINCE.pullPlatform ? undefined : absent(query.platform);
    const gone = new AbortController();
    if (query.fromImage !== "") {
      const image = { image: query.fromImage, tag: absent(query.tag) };
      const lines = await images.pull(image, {
        auth: headerAuth(context),
        platform,
        signal: gone.signal,
        networkScope: networkScope(actor),
        heldNames: heldNamesOf(actor),
        permit: (reference) => assertPullAllowed(actor, formatReference(withDefaultTag(reference))),
      });
      return progress(context, lines, gone);
    }
    if (query.fromSrc !== "-") {
      throw new EngineError(
        "unsupported",
        `fromSrc ${JSON.stringify(query.fromSrc)} is not supported: send the archive as the body with fromSrc=-, or name an image in fromImage`,
      );
    }
    assertImportAllowed(actor);
    const { repo, tag, message } = query;
    const changes = context.req.queries("changes") ?? [];
    const archive = bodyStream(context);
    const id = await images.import(archive, { repo, tag, message, changes, platform, signal: gone.signal });
    async function* imported(): AsyncGenerator<unknown> {
      yield { status: id };
    }
    return progress(context, imported(), gone);
  });

  app.post("/images/load", async (context) => {
    const { quiet } = parseQuery(loadQuery, context.req.query());
    const platform = transferPlatform(context);
    const gone = new AbortController();
    const lines = await images.load(bodyStream(context), { quiet, platform, signal: gone.signal });
    // To skopeo the answer's head says that the archive was read: it stops sending then.
    return progress(context, await begun(lines), gone);
  });

  app.get("/images/get", async (context) => {
    const names = context.req.queries("names") ?? [];
    if (names.length === 0) throw new EngineError("invalid", "query parameter names: at least one image is required");
    const options = { viewer: imageViewer(context.get("actor")), platform: transferPlatform(context) };
    return streamed(context, await images.save(names, options), TAR_TYPE);
  });

  app.get("/images/:name{.+}/get", async (context) => {
    const options = { viewer: imageViewer(context.get("actor")), platform: transferPlatform(context) };
    return streamed(context, await images.save([context.req.param("name")], options), TAR_TYPE);
  });

  app.post("/images/:name{.+}/push", async (context) => {
    const { tag, platform: wished } = parseQuery(pushQuery, context.req.query());
    const platform = context.get("version") >= SINCE.pushPlatform ? platformParameter(wished) : undefined;
    const gone = new AbortController();
    const auth = context.req.header("x-registry-auth") === undefined ? await bodyAuth(context) : headerAuth(context);
    const actor = context.get("actor");
    const lines = await images.push(
      { image: context.req.param("name"), tag: absent(tag) },
      { auth, platform, owner: imageNamer(actor)?.owner, networkScope: networkScope(actor), signal: gone.signal },
    );
    return progress(context, lines, gone);
  });

  app.post("/auth", async (context) => {
    const auth = parseValue(authConfig, parseJson(await readBody(context)));
    const actor = context.get("actor");
    assertLoginAllowed(actor, domainOf(auth));
    return context.json(await images.checkAuth(auth, { networkScope: networkScope(actor) }));
  });

  app.get("/distribution/:name{.+}/json", async (context) => {
    const actor = context.get("actor");
    const name = context.req.param("name");
    assertPullAllowed(actor, formatReference(withDefaultTag(namedReference({ image: name, tag: undefined }))));
    return context.json(
      await images.distribution(name, { auth: headerAuth(context), networkScope: networkScope(actor) }),
    );
  });
}

/** The platform of a load or save, which older versions ignore. */
function transferPlatform(context: EdgeContext): string | undefined {
  return context.get("version") >= SINCE.transferPlatform ? onePlatform(context.req.queries("platform")) : undefined;
}

/** Before API 1.24 clients sent the credentials of a push as its body. */
async function bodyAuth(context: EdgeContext): Promise<RegistryAuth> {
  try {
    return await requireJson(context, authConfig);
  } catch (thrown) {
    const why = thrown instanceof EngineError ? thrown.message : String(thrown);
    throw new EngineError("invalid", `Bad parameters and missing X-Registry-Auth: ${why}`, { cause: thrown });
  }
}
