import { ReadableStream } from "node:stream/web";
import { z } from "@hono/zod-openapi";
import type { Announcement } from "../cache/announcements.ts";
import type { Endpoints } from "../http/endpoint.ts";
import type { Services } from "./services.ts";

// Shorter than the idle timeouts of proxies and firewalls.
const HEARTBEAT_MS = 15_000;

export function eventRoutes(endpoints: Endpoints, services: Services): void {
  endpoints.add(
    {
      method: "get",
      path: "/api/events",
      operationId: "followEvents",
      tag: "Decisions",
      summary: "Follow changes that may alter decisions: `user`, `group` or `all`, as server-sent events",
      access: "reader",
      scopes: ["read", "engine"],
      answers: { 200: { description: "The events", schema: z.string(), mediaType: "text/event-stream" } },
    },
    async () => eventStream(services),
  );
}

/** Starts with `all`, since anything that the listener cached before may be stale. */
function eventStream({ announcements }: Services): Response {
  let stop = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const encoder = new TextEncoder();
      const send = (text: string) => controller.enqueue(encoder.encode(text));
      const unsubscribe = announcements.subscribe((one) => {
        // Buffering for a slow listener would grow without bound; it can reconnect and start over.
        if ((controller.desiredSize ?? 0) > -MAX_UNREAD) send(eventOf(one));
        else {
          stop();
          controller.error(new Error("listener is too slow"));
        }
      });
      const heartbeat = setInterval(() => send(": alive\n\n"), HEARTBEAT_MS);
      stop = () => {
        unsubscribe();
        clearInterval(heartbeat);
      };
      send(eventOf({ all: true }));
    },
    cancel: () => stop(),
  });
  return new Response(body as ConstructorParameters<typeof Response>[0], {
    headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
  });
}

const MAX_UNREAD = 10_000;

function eventOf(announcement: Announcement): string {
  const [name = "", value] = Object.entries(announcement)[0] ?? [];
  return `event: ${name}\ndata: ${JSON.stringify(value)}\n\n`;
}
