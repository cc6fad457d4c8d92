import type { Endpoints } from "../http/endpoint.ts";
import { scimDiscoveryRoutes } from "./scim-discovery.ts";
import { scimGroupRoutes } from "./scim-groups.ts";
import { scimSearchRoutes } from "./scim-search.ts";
import { scimUserRoutes } from "./scim-users.ts";
import type { Services } from "./services.ts";

/** SCIM 2.0 (RFC 7643, RFC 7644) under `/scim/v2`. */
export function scimRoutes(endpoints: Endpoints, services: Services): void {
  scimDiscoveryRoutes(endpoints);
  scimSearchRoutes(endpoints, services);
  scimUserRoutes(endpoints, services);
  scimGroupRoutes(endpoints, services);
}
