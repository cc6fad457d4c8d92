import type { z } from "zod";
import type { Resources, RestartPolicy } from "../containers/config.ts";
import { goStruct } from "./go-json.ts";
import { withoutUndefined } from "./host-config-body.ts";
import { parseValue } from "./json-body.ts";
import { resourceFields, restartPolicy } from "./resources-body.ts";
import { type ApiVersion, since } from "./version.ts";

const schema = goStruct("container.UpdateConfig", { ...resourceFields, RestartPolicy: restartPolicy.optional() });

/** A zero or an empty list says nothing: Docker's update leaves those as they are. */
const isZero = (value: unknown): boolean =>
  value === 0 || value === "" || value === null || (Array.isArray(value) && value.length === 0);

/** Reads the body of `POST /containers/{id}/update`: only what it changes. A pids limit of 0 or below lifts the limit (0 here). */
export const updateBody = (
  body: unknown,
  version: ApiVersion,
): Partial<Resources> & { readonly RestartPolicy?: RestartPolicy } => {
  const { RestartPolicy, PidsLimit, ...resources } = parseValue(schema, body) as z.output<typeof schema>;
  const changed = Object.fromEntries(Object.entries(resources).filter(([, value]) => !isZero(value)));
  return withoutUndefined({
    ...changed,
    PidsLimit: PidsLimit === null || version < since.pidsLimitInUpdate ? undefined : Math.max(0, PidsLimit),
    RestartPolicy: RestartPolicy?.Name === "" ? undefined : RestartPolicy,
  });
};
