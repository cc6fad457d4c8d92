import type { PortWish } from "@berth/port-spec";
import type { Container } from "../records/container.ts";

/** A container with this label prefers the dynamic ports of its last run. Without it, Berth assigns new ones, as Docker does. */
export const STICKY_PORTS_LABEL = "berth.sticky-ports";

/**
 * The wishes of the next run. With the label, each dynamic wish and each pool prefers its last port; best effort, since a stopped
 * container holds no port.
 */
export function wishesOf({ config, ports }: Pick<Container, "config" | "ports">): readonly PortWish[] {
  const { wishes, last = [] } = ports;
  if (config.Labels[STICKY_PORTS_LABEL] !== "true") return wishes;
  let left = last;
  return wishes.map((wish) => {
    const before = left.find(
      ({ containerPort, protocol, hostIp }) =>
        containerPort === wish.containerPort &&
        protocol === wish.protocol &&
        (wish.hostIp === "" || wish.hostIp === hostIp),
    );
    if (before === undefined) return wish;
    // One wish may have had the port in both families.
    left = left.filter(({ protocol, hostPort }) => protocol !== before.protocol || hostPort !== before.hostPort);
    return { ...wish, preferred: before.hostPort };
  });
}
