import type { ImageConfig } from "../../images/images.ts";
import type { ContainerConfig, HealthConfig } from "../records/config.ts";

function nameOf(variable: string): string {
  return variable.split("=", 1)[0] ?? variable;
}

/** The image's variables, those of the request in their place or behind them: moby's `Merge`. */
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
 * What a container of this image runs with this request (moby `daemon/commit.go merge`): the request wins, and an entrypoint of
 * its own drops the image's command. `[""]` as entrypoint takes the image's away and gives none.
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
    WorkingDir: request.WorkingDir || image.WorkingDir || "",
    Volumes: Object.keys(volumes).length > 0 ? volumes : null,
    Labels: { ...image.Labels, ...request.Labels },
    ...(stopSignal ? { StopSignal: stopSignal } : {}),
    ...(health ? { Healthcheck: health } : {}),
  };
}

/** The program and its arguments; empty where neither request nor image names one. */
export function commandOf(config: Pick<ContainerConfig, "Entrypoint" | "Cmd">): readonly string[] {
  return [...(config.Entrypoint ?? []), ...(config.Cmd ?? [])];
}
