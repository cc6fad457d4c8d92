import { KINDS, type Kind, RESOURCES } from "@berth/directory-domain";
import { useQuery } from "@tanstack/react-query";
import { API, bodyOf, type Schemas } from "../api/client.ts";
import { Section } from "../parts/page.tsx";
import { Note, Shown } from "../parts/state.tsx";
import { Table } from "../parts/table.tsx";
import { GroupName } from "../parts/texts.tsx";
import { amountText, type Shown as Constraint, describeValue, KIND_TEXTS } from "./describe.ts";
import { EffectBadge } from "./own-constraints.tsx";

type Effective = Schemas["EffectiveConstraints"];

/** A rule with where it comes from; the baseline has no constraint. */
interface Line {
  readonly key: string;
  readonly kind: Kind;
  readonly value: string;
  readonly constraint?: Constraint;
}

/** Everything that holds for a user, and where each rule comes from. */
export function EffectiveLimits({ userId, isSelf }: { readonly userId: number; readonly isSelf: boolean }) {
  const asked = useQuery({
    queryKey: ["user", userId, "effective", "constraints"],
    queryFn: () =>
      bodyOf(
        API.GET("/api/users/{id}/effective-constraints", {
          params: { path: { id: userId }, query: { warnings: "true" as never } },
        }),
      ),
  });
  return (
    <Section title="What holds">
      <Shown asked={asked}>
        {(effective) => (
          <div className="form">
            {effective.subject.role === "admin" && (
              <Note>An administrator: no constraint binds {isSelf ? "you" : effective.subject.login}.</Note>
            )}
            {!effective.subject.active && <Note>This user is disabled and may do nothing.</Note>}
            {(effective.warnings ?? []).map(({ warning, kind, constraints }) => (
              <p className="note warn" key={`${warning} ${kind} ${constraints.join()}`}>
                {KIND_TEXTS[kind]}: {warningText(warning, constraints)}
              </p>
            ))}
            <Table
              label="Rules in force"
              columns={columns(isSelf)}
              rows={linesOf(effective)}
              keyOf={({ key }) => key}
            />
          </div>
        )}
      </Shown>
    </Section>
  );
}

function columns(isSelf: boolean) {
  return [
    { title: "About", cell: ({ kind }: Line) => KIND_TEXTS[kind] },
    {
      title: "Effect",
      cell: ({ constraint }: Line) =>
        constraint === undefined ? <span className="quiet">Starts with</span> : <EffectBadge constraint={constraint} />,
    },
    { title: "Value", cell: ({ value }: Line) => <span className="mono">{value}</span> },
    { title: "From", cell: ({ constraint }: Line) => <Source constraint={constraint} isSelf={isSelf} /> },
  ];
}

interface SourceProps {
  readonly constraint: Constraint | undefined;
  readonly isSelf: boolean;
}

export function Source({ constraint, isSelf }: SourceProps) {
  if (constraint === undefined) return <span className="quiet">the baseline for everybody</span>;
  const { owner } = constraint;
  if (owner.type === "user") return isSelf ? "yourself" : "this user";
  return (
    <span>
      group <GroupName id={owner.id} name={owner.name ?? String(owner.id)} />
    </span>
  );
}

const BASELINE_FIELDS = {
  "host-ports": ["hostPorts", "ports"],
  "host-interfaces": ["hostInterfaces", "addresses"],
  images: ["images", "patterns"],
  mounts: ["mounts", "folders"],
  privileges: ["privileges", "privileges"],
  networks: ["networks", "names"],
  subnets: ["subnets", "subnets"],
} as const;

function linesOf({ baseline, constraints, unreadable }: Effective): readonly Line[] {
  const known = baseline as Readonly<Record<string, unknown>>;
  const own = [...constraints, ...unreadable];
  return KINDS.flatMap((kind): readonly Line[] => [
    ...baselineLines(kind, known),
    ...own
      .filter((one) => one.kind === kind)
      .map((constraint) => ({ key: String(constraint.id), kind, value: describeValue(constraint), constraint })),
  ]);
}

function baselineLines(kind: Kind, baseline: Readonly<Record<string, unknown>>): readonly Line[] {
  if (kind === "shared-quota") return [];
  if (kind === "quota") {
    const quotas = (baseline.quotas ?? {}) as Readonly<Record<string, number>>;
    return RESOURCES.flatMap((resource) => {
      const max = quotas[resource];
      return max === undefined ? [] : [{ key: `baseline ${resource}`, kind, value: amountText(resource, max) }];
    });
  }
  const [field, as] = BASELINE_FIELDS[kind];
  return [{ key: `baseline ${kind}`, kind, value: describeValue({ [as]: baseline[field] ?? [] }) }];
}

function warningText(warning: "empty" | "ungranted" | "pointless", constraints: readonly number[]): string {
  switch (warning) {
    case "empty":
      return "these rules together leave nothing.";
    case "ungranted":
      return `a limit on what no rule grants leaves nothing (constraint ${constraints.join(", ")}).`;
    case "pointless":
      return `a rule has no effect beside the others (constraint ${constraints.join(", ")}).`;
  }
}
