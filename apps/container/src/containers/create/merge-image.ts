import type { ImageConfig } from "../../images/images.ts";
import type { ContainerConfig, HealthConfig } from "../records/config.ts";
import { cleaned } from "./mount-requests.ts";

function nameOf(variable: string): string {
  return variable.split("=", 1)[0] ?? variable;
}

/** Merges variables by name: a request's value replaces the image's in place, others are appended (moby `Merge`). */
function mergeEnv(image: readonly string[], request: readonly string[]): readonly string[] {
  const named = new Set(request.map(nameOf));
  return [...request, ...image.filter((variable) => !named.has(nameOf(variable)))];
}

function mergeHealth(image: HealthConfig | undefined, request: HealthConfig | undefined): HealthConfig | undefined {
  if (!image || !request) return request ?? image;
  const asked = Object.fromEntries(
    Object.entries(request).filter(([, value]) => value !== 0 && !(Array.isArray(value) && value.length === 0)),
  );
  return { ...image, ...asked };
}

function isEmpty(list: readonly string[] | null | undefined): list is null | undefined | readonly [] {
  return !list || list.length === 0;
}

/**
 * Merges the image's configuration into the request's (moby `daemon/commit.go merge`): the request wins, and its own entrypoint drops
 * the image's command. `[""]` as entrypoint clears the image's.
 */
export function mergeImage(request: ContainerConfig, image: ImageConfig): ContainerConfig {
  const resets = request.Entrypoint?.length === 1 && request.Entrypoint[0] === "";
  const ownEntrypoint = !isEmpty(request.Entrypoint);
  const health = mergeHealth(image.Healthcheck as HealthConfig | undefined, request.Healthcheck);
  const volumes = { ...image.Volumes, ...request.Volumes };
  const stopSignal = request.StopSignal || image.StopSignal;
  return {
    ...request,
    User: request.User || image.User || "",
    Env: mergeEnv(image.Env ?? [], request.Env),
    Entrypoint: resets ? null : ownEntrypoint ? request.Entrypoint : (image.Entrypoint ?? null),
    Cmd: isEmpty(request.Cmd) && !ownEntrypoint ? (image.Cmd ?? null) : request.Cmd,
    WorkingDir: (request.WorkingDir && cleaned(request.WorkingDir)) || image.WorkingDir || "",
    Volumes: Object.keys(volumes).length > 0 ? volumes : null,
    Labels: { ...image.Labels, ...request.Labels },
    ...(stopSignal ? { StopSignal: stopSignal } : {}),
    ...(health ? { Healthcheck: health } : {}),
  };
}

/** The program and its arguments; empty if neither the request nor the image has one. */
export function commandOf(config: Pick<ContainerConfig, "Entrypoint" | "Cmd">): readonly string[] {
  return [...(config.Entrypoint ?? []), ...(config.Cmd ?? [])];
}
