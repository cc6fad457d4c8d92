export { BASELINES, type Baseline, type BaselineName } from "./baseline.ts";
export type { Check, Reason, Refusal } from "./check.ts";
export { effectivePorts } from "./check-port.ts";
export { effectiveQuota } from "./check-quota.ts";
export { sharedQuotas } from "./check-shared-quota.ts";
export {
  type CapabilityPrivilege,
  type Constraint,
  type ConstraintId,
  EFFECTS,
  type Effect,
  HOST_PRIVILEGES,
  type HostFolder,
  type HostPortRange,
  type HostPrivilege,
  KINDS,
  type Kind,
  type OwnedConstraint,
  type Owner,
  type PlaceOwner,
  type Privilege,
  RESOURCES,
  type Resource,
  type Rule,
  SHARED_RESOURCES,
  type SharedResource,
  type UnreadableConstraint,
} from "./constraint.ts";
export { type Decision, decide } from "./decide.ts";
export { type EffectiveConstraints, effectiveConstraints, type Subject } from "./effective.ts";
export { explain } from "./explain.ts";
export {
  type Group,
  type GroupId,
  MAX_GROUP_NAME_LENGTH,
  MEMBERSHIP_ROLES,
  type Membership,
  type MembershipRole,
  parseGroupName,
} from "./group.ts";
export { normalisePath } from "./host-path.ts";
export { fullImageName, fullImagePattern } from "./image-pattern.ts";
export {
  type FieldValue,
  formatFieldValue,
  MAX_FIELDS,
  OWN_FIELD_KEY,
  type OwnFields,
  parseFieldValue,
  parseOwnFields,
} from "./own-fields.ts";
export { type Fault, MAX_VALUES, parseConstraint } from "./parse-constraint.ts";
export {
  formatPlacePorts,
  MAX_PLACE_SECONDS,
  PLACE_NAME,
  PLACE_RESOURCES,
  type PlaceGrant,
  type PlacePorts,
  type PlaceResource,
  type PlaceSize,
  parsePlacePorts,
  placePortsFault,
  placePortWishes,
  placeSizeFault,
  withinPlace,
} from "./place.ts";
export type { ContainerFacts, ContainerResource, DecisionRequest, ImageWish, MountWish, PortWish } from "./request.ts";
export {
  fold,
  isWellFormed,
  MAX_EMAIL_BYTES,
  MAX_LOGIN_LENGTH,
  MAX_NAME_LENGTH,
  parseDisplayName,
  parseEmail,
  parseId,
  parseLogin,
  ROLES,
  type Role,
  USER_KINDS,
  type User,
  type UserId,
  type UserKind,
} from "./user.ts";
export { type Warning, warningsOf } from "./warnings.ts";
