import {
  formatPlacePorts,
  MAX_PLACE_SECONDS,
  PLACE_NAME,
  type PlacePorts,
  parsePlacePorts,
  placePortsFault,
  placeSizeFault,
} from "@berth/directory-domain";
import { z } from "@hono/zod-openapi";
import type { HostAnswer } from "../../fleet/hear-host.ts";
import type { FleetHost, FleetPlace } from "../../fleet/place.ts";
import { idSchema } from "./common.ts";

const DEFAULT_PIDS = 1_024;
const MOST_PLACES = 10_000;
const amount = z.number().min(0).max(Number.MAX_SAFE_INTEGER);
const size = { memory: amount, cpus: amount, pids: amount };
const secondsLeft = amount.nullable();

const port = z
  .string()
  .max(20)
  .transform((text, context): PlacePorts => {
    const read = parsePlacePorts(text);
    if (read !== undefined) return read;
    context.addIssue({ code: "custom", message: "must be a host port such as 8080, 8000-8010 or 53/udp" });
    return z.NEVER;
  })
  .openapi({ type: "string" });

const PORTS_DOC = { description: "Host ports of its own.", example: ["8080/tcp"] };
const shownPorts = z.array(z.string()).openapi(PORTS_DOC);
const seconds = z.int().min(1).max(MAX_PLACE_SECONDS);

export const newPlaceSchema = z
  .strictObject({
    name: z
      .string()
      .regex(PLACE_NAME, "must be 1 to 30 small letters, digits and hyphens")
      .openapi({ description: "Unique among the places of its user.", example: "ci" }),
    userId: idSchema.optional(),
    host: z.string().min(1).max(253).optional(),
    memory: amount,
    cpus: amount,
    pids: amount.default(DEFAULT_PIDS),
    ports: z
      .array(port)
      .max(1_000)
      .default([])
      .superRefine((ports, context) => {
        const message = placePortsFault(ports);
        if (message !== undefined) context.addIssue({ code: "custom", message });
      })
      .openapi({ ...PORTS_DOC, example: ["8080/tcp"] as never }),
    seconds: seconds.optional(),
  })
  .superRefine(({ memory, cpus, pids }, context) => {
    const fault = placeSizeFault({ memory, cpu: cpus, pids });
    if (fault !== undefined) context.addIssue({ code: "custom", path: [fault.field], message: fault.detail });
  })
  .openapi("NewPlace");

export const placeExtensionSchema = z.strictObject({ seconds }).openapi("PlaceExtension");

export const placeSchema = z
  .object({
    id: idSchema,
    name: z.string(),
    user: z
      .object({ id: idSchema, login: z.string() })
      .openapi({ description: "Whose place it is.", example: { id: 7, login: "ann" } }),
    host: z.string(),
    address: z
      .string()
      .nullable()
      .openapi({ description: "What Docker clients connect to.", example: "tcp://h1.example.test:2375/places/ci" }),
    ...size,
    ports: shownPorts,
    state: z.enum(["wanted", "ready", "ending"]),
    since: z.iso.datetime(),
    secondsLeft,
    containers: z.int(),
  })
  .openapi("Place");

const ADDRESS_DOC = { description: "Where Docker clients reach the host.", example: "tcp://h1.example.test:2375" };

export const fleetHostSchema = z
  .object({
    name: z.string(),
    address: z.string().openapi(ADDRESS_DOC),
    memory: amount,
    cpus: amount,
    memoryFree: z.number(),
    cpusFree: z.number(),
    places: z.int().openapi({ description: "How many places it holds.", example: 2 }),
    isDraining: z.boolean(),
    isAlive: z.boolean(),
    seenAt: z.iso.datetime(),
  })
  .openapi("FleetHost");

export const fleetHostPatchSchema = z.strictObject({ isDraining: z.boolean() }).openapi("FleetHostPatch");

const grant = idSchema;
const turn = idSchema.nullable();

/** What a host says of itself and of its places. */
export const placesReportSchema = z
  .strictObject({
    turn,
    waitSeconds: z.number().min(0).max(10),
    address: z
      .string()
      .max(300)
      .regex(/^tcp:\/\/[A-Za-z0-9._[\]:-]+:[0-9]{1,5}$/, "must be an address such as tcp://h1.example.test:2375")
      .openapi(ADDRESS_DOC),
    memory: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
    cpus: z.number().min(0).max(1_000_000),
    places: z
      .array(
        z.strictObject({
          grant,
          state: z.enum(["taken", "ready", "ending"]),
          secondsLeft,
          containers: z.int().min(0).max(1_000_000),
        }),
      )
      .max(MOST_PLACES)
      .openapi({ description: "The places of the fleet that the host has.", example: [] }),
    refused: z.array(z.strictObject({ grant, reason: z.string().max(4_000) })).max(MOST_PLACES),
  })
  .openapi("PlacesReport");

export const wantedPlacesSchema = z
  .object({
    outcome: z.enum(["accepted", "stale", "unknown"]),
    turn,
    places: z
      .array(
        z.object({
          ...{ grant, name: z.string(), userId: idSchema, ...size, ports: shownPorts, secondsLeft },
          pod: z
            .string()
            .nullable()
            .openapi({ description: "The uid of its Pod, if Kubernetes placed it.", example: null }),
        }),
      )
      .openapi({ description: "The places that the host has to have.", example: [] }),
  })
  .openapi("WantedPlaces");

export function showWanted(answer: HostAnswer): z.input<typeof wantedPlacesSchema> {
  return {
    outcome: answer.outcome,
    turn: answer.outcome === "unknown" ? null : answer.turn,
    places: answer.places.map(({ id, name, userId, pod, ...one }) => {
      return { grant: id, name, userId, ...showShare(one), pod: pod ?? null };
    }),
  };
}

export function showPlace(
  { id, name, userId, host, state, since, containers, ...share }: FleetPlace,
  logins: ReadonlyMap<number, string>,
  hosts: readonly FleetHost[],
): z.input<typeof placeSchema> {
  const user = { id: userId, login: logins.get(userId) ?? `user ${userId}` };
  const address = hosts.find((one) => one.name === host)?.address;
  const there = { host, address: address === undefined ? null : `${address}/places/${name}` };
  return { id, name, user, ...there, ...showShare(share), state, since, containers };
}

export function showFleetHost({ cpu, free, ...host }: FleetHost): z.input<typeof fleetHostSchema> {
  return { ...host, cpus: cpu, memoryFree: free.memory, cpusFree: free.cpu };
}

function showShare({
  size: { memory, cpu, pids },
  ports,
  secondsLeft: left,
}: Pick<FleetPlace, "size" | "ports" | "secondsLeft">) {
  return {
    ...{ memory, cpus: cpu, pids },
    ports: ports.map(formatPlacePorts),
    secondsLeft: left === undefined ? null : Math.max(0, left),
  };
}
