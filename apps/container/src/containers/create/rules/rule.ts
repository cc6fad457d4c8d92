import type { CreateRequest } from "../../records/config.ts";
import type { Processors } from "./limits.ts";

/** The part of a create request that the rules check. The use case looks up ports, the image and other containers. */
export type CreateToCheck = Pick<CreateRequest, "config" | "hostConfig">;

/** Returns dockerd's message if the request breaks the rule; undefined if it passes. */
export type Rule = (request: CreateToCheck, host: Processors) => string | undefined;
