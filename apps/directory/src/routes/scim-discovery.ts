import { z } from "@hono/zod-openapi";
import { DirectoryError } from "../errors/directory-error.ts";
import { jsonAnswer, streamAnswer } from "../http/answer.ts";
import type { Endpoints } from "../http/endpoint.ts";
import { resourceTypes, schemaDocuments, serviceProviderConfig } from "../scim/discovery.ts";
import { SCIM_TYPE } from "../scim/error.ts";
import { listText } from "../scim/listing.ts";
import { ANSWERS, baseOf, COMMON, SCIM_PATH } from "../scim/requests.ts";

const BASE = {
  ...COMMON,
  method: "get",
  access: "signed-in",
  answers: ANSWERS,
  query: z.object({ filter: z.string().optional() }),
} as const;
const AS_SCIM = { headers: { "content-type": SCIM_TYPE } };

/** What a client reads to learn what this provider can do (RFC 7644, 4). */
export function scimDiscoveryRoutes(endpoints: Endpoints): void {
  endpoints.add(
    { ...BASE, path: `${SCIM_PATH}/ServiceProviderConfig`, summary: "Read what SCIM supports here" },
    async (call) => {
      refuseFilter(call.query);
      return jsonAnswer(serviceProviderConfig(baseOf(call)), AS_SCIM);
    },
  );
  const families = [
    { path: "ResourceTypes", what: "resource type", documents: resourceTypes },
    { path: "Schemas", what: "schema", documents: schemaDocuments },
  ];
  for (const { path, what, documents } of families) {
    endpoints.add({ ...BASE, path: `${SCIM_PATH}/${path}`, summary: `List the ${what}s` }, async (call) => {
      refuseFilter(call.query);
      const items = documents(baseOf(call)).map((one) => [JSON.stringify(one.body)]);
      return streamAnswer(call, listText({ total: items.length, items }, 1), SCIM_TYPE);
    });
    endpoints.add({ ...BASE, path: `${SCIM_PATH}/${path}/{name}`, summary: `Read a ${what}` }, async (call) => {
      refuseFilter(call.query);
      const found = documents(baseOf(call)).find((one) => one.id.toLowerCase() === call.name.toLowerCase());
      if (found === undefined) throw new DirectoryError("not-found", `There is no ${what} ${call.name.slice(0, 100)}.`);
      return jsonAnswer(found.body, AS_SCIM);
    });
  }
}

/** A filter is refused, so that nobody takes all that is answered for what the filter chose (RFC 7644, 4). */
function refuseFilter({ filter }: { readonly filter?: string | undefined }): void {
  if (filter !== undefined) throw new DirectoryError("forbidden", "Discovery endpoints take no filter.");
}
