import { useQuery } from "@tanstack/react-query";
import { API, bodyOf, type Schemas } from "./client.ts";

export type Host = Schemas["Host"];
export type Container = Host["containers"][number] & { readonly host: string };
export type HeldPort = Host["heldPorts"][number] & { readonly host: string };
export type ProgramPort = Host["processPorts"][number] & { readonly host: string };
export type RefusedUser = Host["refusedUsers"][number] & { readonly host: string };

const REFRESH_MS = 5_000;
/** A host reports twice a minute. */
const QUIET_MS = 90_000;

/** What the hosts last reported, asked for again while the page is looked at. */
export function useHosts() {
  return useQuery({
    queryKey: ["hosts"],
    refetchInterval: REFRESH_MS,
    queryFn: () => bodyOf(API.GET("/api/hosts")),
  });
}

/** What users use on all hosts, and their quotas. */
export function useUsage() {
  return useQuery({
    queryKey: ["usage"],
    refetchInterval: REFRESH_MS,
    queryFn: () => bodyOf(API.GET("/api/usage")),
  });
}

export function containersOn(hosts: readonly Host[]): readonly Container[] {
  return hosts.flatMap(({ name, containers }) => containers.map((one) => ({ ...one, host: name })));
}

/** Ports of all hosts, by number. */
export function portsOn(hosts: readonly Host[]): readonly HeldPort[] {
  const ports = hosts.flatMap(({ name, heldPorts }) => heldPorts.map((one) => ({ ...one, host: name })));
  return ports.toSorted((a, b) => a.start - b.start || a.protocol.localeCompare(b.protocol));
}

/** Ports of all hosts that other programs have open, by number. */
export function programPortsOn(hosts: readonly Host[]): readonly ProgramPort[] {
  const ports = hosts.flatMap(({ name, processPorts }) => processPorts.map((one) => ({ ...one, host: name })));
  return ports.toSorted((a, b) => a.port - b.port || a.protocol.localeCompare(b.protocol));
}

/** Whom the hosts refused something, most often first. */
export function refusedOn(hosts: readonly Host[]): readonly RefusedUser[] {
  const users = hosts.flatMap(({ name, refusedUsers }) => refusedUsers.map((one) => ({ ...one, host: name })));
  return users.toSorted((a, b) => b.times - a.times);
}

/** Whether a host has not reported for so long that what it reported may be past. */
export function isQuiet({ reportedAt }: Host): boolean {
  return Date.now() - new Date(reportedAt).getTime() > QUIET_MS;
}
