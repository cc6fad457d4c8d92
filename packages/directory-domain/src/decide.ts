import type { PortSet } from "@berth/port-spec";
import type { Check } from "./check.ts";
import { checkItems } from "./check-item.ts";
import { checkPort } from "./check-port.ts";
import { checkQuota } from "./check-quota.ts";
import { checkSharedQuotas } from "./check-shared-quota.ts";
import { KINDS, type Kind } from "./constraint.ts";
import type { EffectiveConstraints, Subject } from "./effective.ts";
import { ITEM_KINDS } from "./item-kinds.ts";
import type { DecisionRequest } from "./request.ts";

export interface Decision {
  readonly allowed: boolean;
  readonly subject: Subject;
  /** No constraint binds an administrator; the checks are made all the same, so that it sees what it steps over. */
  readonly bypass: "administrator" | null;
  readonly checks: readonly Check[];
  /** For each port wish of the request, in order, the host ports that an allocator may pick from. */
  readonly portChoices: readonly PortSet[];
}

/**
 * Decides on a request. Every request gets a decision, nothing throws, and all checks are made, so that the refusals of a
 * decision name all that has to change for it to pass.
 */
export function decide(request: DecisionRequest, effective: EffectiveConstraints): Decision {
  const { subject } = effective;
  const ports = (request.ports ?? []).map((wish) => checkPort(wish, effective));
  const hostIps = [...new Set((request.ports ?? []).map((wish) => wish.hostIp))];
  // A kind without a check does not compile.
  const byKind: Readonly<Record<Kind, readonly Check[]>> = {
    "host-ports": ports.map((port) => port.check),
    "host-interfaces": checkItems(ITEM_KINDS["host-interfaces"], hostIps, effective),
    images: checkItems(ITEM_KINDS.images, request.images ?? [], effective),
    mounts: checkItems(ITEM_KINDS.mounts, request.mounts ?? [], effective),
    privileges: checkItems(ITEM_KINDS.privileges, request.privileges ?? [], effective),
    networks: checkItems(ITEM_KINDS.networks, request.networks ?? [], effective),
    subnets: checkItems(ITEM_KINDS.subnets, request.subnets ?? [], effective),
    quota: checkQuota(request, effective),
    "shared-quota": checkSharedQuotas(request, effective),
  };
  const checks = [checkSubject(effective), ...KINDS.flatMap((kind) => byKind[kind])];
  const bypass = subject.role === "admin" && subject.active ? "administrator" : null;
  return {
    allowed: bypass !== null || checks.every((check) => check.refusals.length === 0),
    subject,
    bypass,
    checks,
    portChoices: ports.map((port) => (bypass === null ? port.choice : port.everyChoice)),
  };
}

function checkSubject(effective: EffectiveConstraints): Check {
  const { subject, unreadable } = effective;
  return {
    kind: "subject",
    item: subject.login,
    refusals: [
      ...(subject.active ? [] : [{ reason: "inactive", constraints: [] } as const]),
      ...(unreadable.length === 0 ? [] : [{ reason: "unreadable-constraint", constraints: unreadable } as const]),
    ],
    passing: [],
    remedy: null,
  };
}
