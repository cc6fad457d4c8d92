import { PROTOCOLS, parsePortRange } from "@berth/port-spec";
import { z } from "zod";
import type { PlacePorts, PlaceRequest } from "../../places/place.ts";

/** Docker's least memory of a container: less holds none. */
const LEAST_MEMORY = 6 * 2 ** 20;
const MOST_PORTS = 1_000;
const YEAR_SECONDS = 366 * 86_400;

/** `8080`, `8000-8010` or `53/udp`. */
const ports = z.string().transform((text, context): PlacePorts => {
  const [, digits = "", protocol = "tcp"] = /^([^/]*)(?:\/(.*))?$/.exec(text) ?? [];
  const range = parsePortRange(digits);
  const known = PROTOCOLS.find((one) => one === protocol);
  if (range !== undefined && range.start > 0 && known !== undefined) return { ...range, protocol: known };
  context.addIssue({
    code: "custom",
    message: `${JSON.stringify(text)} is no host port: want 8080, 8000-8010 or 53/udp`,
  });
  return z.NEVER;
});

const seconds = z.int("want a whole number of seconds").min(1).max(YEAR_SECONDS);

/** `POST /berth/places`. */
export const placeBody: z.ZodType<PlaceRequest> = z
  .strictObject({
    name: z.string().regex(/^[a-z0-9]([a-z0-9-]{0,28}[a-z0-9])?$/, "want 1 to 30 small letters, digits and hyphens"),
    user: z.string().regex(/^[1-9]\d{0,15}$/, "want the id of a user in the directory, in digits"),
    memory: z.int("want a whole number of bytes").min(LEAST_MEMORY, "want at least 6 MiB"),
    cpus: z
      .number()
      .min(0.01)
      .refine((cpus) => Math.abs(cpus * 100 - Math.round(cpus * 100)) < 1e-6, "want hundredths of a CPU, such as 1.5"),
    pids: z.int("want a whole number of processes").min(1).max(4_194_304),
    ports: z.array(ports).max(MOST_PORTS).default([]),
    seconds: seconds.optional(),
  })
  .transform(({ memory, cpus, pids, seconds: lasts, ...rest }) => ({
    ...rest,
    size: { memory, cpu: cpus, pids },
    seconds: lasts,
  }))
  .refine(({ ports: all }) => all.reduce((sum, { start, end }) => sum + end - start + 1, 0) <= MOST_PORTS, {
    path: ["ports"],
    message: `want at most ${MOST_PORTS} ports`,
  })
  .refine(({ ports: all }) => !all.some((one, at) => all.slice(at + 1).some((other) => overlap(one, other))), {
    path: ["ports"],
    message: "names a port twice",
  });

function overlap(one: PlacePorts, other: PlacePorts): boolean {
  return one.protocol === other.protocol && one.start <= other.end && other.start <= one.end;
}

/** `POST /berth/places/{id}/extend`. */
export const extensionBody: z.ZodType<{ readonly seconds: number }> = z.strictObject({ seconds });
