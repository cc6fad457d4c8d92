import type { Hono } from "hono";
import type { Edge } from "./edge.ts";

/** What answers the requests of a listener. */
export type Answers = Pick<Hono<Edge>, "fetch">;

/** Stands before the app while the service starts: it answers 503 and says what the start waits for. */
export class Gate implements Answers {
  #app: Answers | undefined;
  #reason = "it compares its records with the host";

  /** Names what the start waits for, as the end of a sentence about the service. */
  waits(reason: string): void {
    this.#reason = reason;
  }

  /** From now on the app answers. */
  open(app: Answers): void {
    this.#app = app;
  }

  readonly fetch: Answers["fetch"] = (request, ...rest) => {
    if (this.#app !== undefined) return this.#app.fetch(request, ...rest);
    const message = `the container service is starting: ${this.#reason}; try again in a moment`;
    return Response.json({ message }, { status: 503, headers: { "Retry-After": "1" } });
  };
}
