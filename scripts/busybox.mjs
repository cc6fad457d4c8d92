import { busyboxImage } from "../tools/busybox-image.mjs";
import { ask } from "./ask.mjs";

/**
 * Loads an image made of this machine's own busybox into an engine.
 * @param {string} engine as `ask` takes it
 * @param {string} tag
 * @param {Omit<NonNullable<Parameters<typeof busyboxImage>[0]>, "tags">} [more] files beside busybox, and the command
 */
export async function loadBusybox(engine, tag, more = {}) {
  const { status, text } = await ask(engine, {
    method: "POST",
    path: "/images/load?quiet=true",
    headers: { "content-type": "application/x-tar" },
    body: busyboxImage({ ...more, tags: [tag] }),
    timeout: 120_000,
  });
  // A load that fails on its way has answered 200 already.
  if (status !== 200 || text.includes("errorDetail")) throw new Error(`${tag} did not load: ${status} ${text.trim()}`);
}
