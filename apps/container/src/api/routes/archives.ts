import { Readable } from "node:stream";
import type { Hono } from "hono";
import { z } from "zod";
import type { PathStat } from "../../containers/archive/archives.ts";
import { EngineError } from "../../engine/errors.ts";
import { commitBody } from "../decode/commit-body.ts";
import { flag, parseQuery, text } from "../decode/query.ts";
import { readJson } from "../go-json/json-body.ts";
import type { Deps, Edge, EdgeContext } from "../http/edge.ts";
import { bodyStream } from "../http/request-body.ts";

const pathQuery = z.object({ path: text() });
const writeQuery = z.object({ path: text(), noOverwriteDirNonDir: flag(), copyUIDGID: flag() });
const commitQuery = z.object({
  container: text(),
  repo: text(),
  tag: text(),
  author: text(),
  comment: text(),
  pause: flag({ absent: true }),
});

const TAR_TYPE = { "Content-Type": "application/x-tar" };

const CHANGE_KINDS = { modified: 0, added: 1, deleted: 2 } as const;

function requirePath(path: string): string {
  if (path === "") throw new EngineError("invalid", "bad parameter: path cannot be empty");
  return path;
}

function statHeader({ name, size, mode, modifiedAt, linkTarget }: PathStat): Readonly<Record<string, string>> {
  const stat = JSON.stringify({ name, size, mode, mtime: modifiedAt, linkTarget });
  return { "X-Docker-Container-Path-Stat": Buffer.from(stat).toString("base64") };
}

/** Streams bytes as the response, and destroys the source if the client disconnects. */
export function streamed(context: EdgeContext, archive: Readable, headers: Readonly<Record<string, string>>): Response {
  return context.body(Readable.toWeb(archive) as ReadableStream, 200, headers);
}

/** The files of containers: `cp`, `diff`, `export`, `commit`. */
export function archiveRoutes(app: Hono<Edge>, { archives }: Deps): void {
  app.get("/containers/:id/archive", async (context) => {
    const path = requirePath(parseQuery(pathQuery, context.req.query()).path);
    const id = context.req.param("id");
    if (context.req.method === "HEAD") {
      return context.body(null, 200, statHeader(await archives.stat(context.get("actor"), id, path)));
    }
    const { stat, archive } = await archives.read(context.get("actor"), id, path);
    return streamed(context, archive, { ...TAR_TYPE, ...statHeader(stat) });
  });

  app.put("/containers/:id/archive", async (context) => {
    const { path, noOverwriteDirNonDir, copyUIDGID } = parseQuery(writeQuery, context.req.query());
    await archives.write(context.get("actor"), context.req.param("id"), requirePath(path), bodyStream(context), {
      keepKinds: noOverwriteDirNonDir,
      copyOwners: copyUIDGID,
    });
    return context.body(null, 200);
  });

  app.get("/containers/:id/changes", async (context) => {
    const changes = await archives.changes(context.get("actor"), context.req.param("id"));
    const shaped = changes.map(({ path, kind }) => ({ Path: path, Kind: CHANGE_KINDS[kind] }));
    return context.json(shaped.length === 0 ? null : shaped);
  });

  app.get("/containers/:id/export", async (context) =>
    streamed(context, await archives.export(context.get("actor"), context.req.param("id")), {
      "Content-Type": "application/octet-stream",
    }),
  );

  app.post("/commit", async (context) => {
    const { container, ...query } = parseQuery(commitQuery, context.req.query());
    // Before the container is looked for, as dockerd reads it.
    const config = await readJson(context, commitBody);
    if (container === "") throw new EngineError("invalid", 'invalid name or ID supplied: ""');
    const id = await archives.commit(context.get("actor"), container, {
      ...query,
      changes: context.req.queries("changes") ?? [],
      config,
    });
    return context.json({ Id: id }, 201);
  });
}
