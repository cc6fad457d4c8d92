import type { PortWish } from "@berth/port-spec";
import type { Container } from "../records/container.ts";

/** A container with this label asks for the dynamic ports of its last run again. Docker gives new ones, and so does Berth without it. */
export const STICKY_PORTS_LABEL = "berth.sticky-ports";

/**
 * The wishes of the next run: with the label each dynamic one and each pool prefers the port that it had, best effort, since a
 * container that is down holds nothing.
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
