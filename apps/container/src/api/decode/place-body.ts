import {
  MAX_PLACE_SECONDS,
  PLACE_NAME,
  type PlacePorts,
  parsePlacePorts,
  placePortsFault,
  placeSizeFault,
} from "@berth/directory-domain";
import { z } from "zod";
import type { PlaceRequest } from "../../places/place.ts";

const ports = z.string().transform((text, context): PlacePorts => {
  const read = parsePlacePorts(text);
  if (read !== undefined) return read;
  context.addIssue({
    code: "custom",
    message: `${JSON.stringify(text)} is no host port: want 8080, 8000-8010 or 53/udp`,
  });
  return z.NEVER;
});

const seconds = z.int("want a whole number of seconds").min(1).max(MAX_PLACE_SECONDS);

/** `POST /berth/places`. */
export const placeBody: z.ZodType<PlaceRequest> = z
  .strictObject({
    name: z.string().regex(PLACE_NAME, "want 1 to 30 small letters, digits and hyphens"),
    user: z.string().regex(/^[1-9]\d{0,15}$/, "want the id of a user in the directory, in digits"),
    memory: z.number(),
    cpus: z.number(),
    pids: z.number(),
    ports: z
      .array(ports)
      .max(1_000)
      .default([])
      .superRefine((all, context) => {
        const message = placePortsFault(all);
        if (message !== undefined) context.addIssue({ code: "custom", message });
      }),
    seconds: seconds.optional(),
  })
  .transform(({ memory, cpus, pids, seconds: lasts, ...rest }, context) => {
    const size = { memory, cpu: cpus, pids };
    const fault = placeSizeFault(size);
    if (fault !== undefined) context.addIssue({ code: "custom", path: [fault.field], message: fault.detail });
    return { ...rest, size, seconds: lasts, grant: undefined, pod: undefined };
  });

/** `POST /berth/places/{id}/extend`. */
export const extensionBody: z.ZodType<{ readonly seconds: number }> = z.strictObject({ seconds });
