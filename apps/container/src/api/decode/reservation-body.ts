import { canonicalIp, PROTOCOLS, parsePortRange } from "@berth/port-spec";
import { z } from "zod";
import type { ReservationRequest } from "../../ports/reservation.ts";

const address = z.string().transform((text, context) => {
  const canonical = text === "" ? "" : canonicalIp(text);
  if (canonical !== undefined) return canonical;
  context.addIssue({ code: "custom", message: `${JSON.stringify(text)} is no IP address` });
  return z.NEVER;
});

const ports = z.string().transform((text, context) => {
  const range = parsePortRange(text);
  if (range !== undefined && range.start > 0) return range;
  context.addIssue({ code: "custom", message: `${JSON.stringify(text)} is no host port: want 8080 or 8000-8010` });
  return z.NEVER;
});

/** `POST /berth/ports/reservations`. */
export const reservationBody: z.ZodType<ReservationRequest> = z.strictObject({
  hostIp: address.default(""),
  hostPorts: ports,
  protocol: z.enum(PROTOCOLS).default("tcp"),
  claimant: z.strictObject({
    kind: z.enum(["user", "group"]),
    id: z.string().regex(/^[1-9]\d{0,15}$/, "want the id of a user or group in the directory, in digits"),
    name: z.string().min(1).max(256),
  }),
});
