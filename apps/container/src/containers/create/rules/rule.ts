import type { CreateRequest } from "../../records/config.ts";
import type { Processors } from "./limits.ts";

/** The part of a create request that rules judge; ports, the image and other containers are the use case's to look up. */
export type CreateToCheck = Pick<CreateRequest, "config" | "hostConfig">;

/** Answers why it rejects the request, in dockerd's words; undefined where it accepts. */
export type Rule = (request: CreateToCheck, host: Processors) => string | undefined;
