import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { API, bodyOf, type Schemas } from "../api/client.ts";
import { useUsage } from "../api/hosts.ts";
import { useMe } from "../api/session.ts";
import { describeValue, EFFECT_TEXTS, KIND_TEXTS, kindOf } from "../constraints/describe.ts";
import { Source } from "../constraints/effective.tsx";
import { Button } from "../parts/button.tsx";
import { TextInput } from "../parts/field.tsx";
import { Page, Section } from "../parts/page.tsx";
import { ErrorNote } from "../parts/state.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Badge } from "../parts/texts.tsx";
import { UserInput, userNamed } from "../parts/user-input.tsx";
import { readRequest } from "./read-request.ts";

type Decision = Schemas["Decision"];
type Check = Decision["checks"][number];

/** Tells whether a user may run a container, and why not. */
export default function ExplainPage() {
  const me = useMe();
  const usage = useUsage();
  const [login, setLogin] = useState("");
  const [text, setText] = useState("");
  const asking = useMutation({
    mutationFn: async () => {
      const read = readRequest(text);
      if (!read.ok) throw new Error(read.error);
      const user = login.trim() === "" ? me : await userNamed(login);
      // What its containers have counts against its quotas.
      const used = usage.data?.find((one) => one.user.id === user.id)?.used ?? {};
      const decisions: { readonly name: string; readonly decision: Decision }[] = [];
      for (const { name, facts } of read.value) {
        const body = { userId: user.id, request: { ...facts, used } };
        decisions.push({ name, decision: await bodyOf(API.POST("/api/decisions", { body: body as never })) });
      }
      return decisions;
    },
  });
  return (
    <Page title="Why not?">
      <Section title="What you want to run">
        <form
          className="form"
          onSubmit={(event) => {
            event.preventDefault();
            asking.mutate();
          }}
        >
          {me.isReader && (
            <div className="row">
              <UserInput label="As which user" value={login} onChange={setLogin} placeholder={`${me.login} (you)`} />
            </div>
          )}
          <TextInput
            label="A docker run line, or a compose file"
            rows={8}
            value={text}
            onChange={setText}
            placeholder={"docker run -d -p 9000:80 -v /srv/data:/data nginx"}
          />
          <ErrorNote error={asking.error} />
          <div className="actions">
            <Button type="submit" kind="primary" isPending={asking.isPending}>
              Decide
            </Button>
          </div>
        </form>
      </Section>
      {asking.data?.map(({ name, decision }) => (
        <Verdict key={name} name={name} decision={decision} isSelf={decision.subject.id === me.id} />
      ))}
      {asking.data !== undefined && (
        <p className="hint">
          Nothing was started. What only the host knows is not counted: links among folders, and ports that an image
          exposes.
        </p>
      )}
    </Page>
  );
}

interface VerdictProps {
  readonly name: string;
  readonly decision: Decision;
  readonly isSelf: boolean;
}

function Verdict({ name, decision: { decision, bypass, checks, subject }, isSelf }: VerdictProps) {
  const refused = checks.filter(({ outcome }) => outcome === "refuse");
  const allowed = checks.filter(({ outcome }) => outcome === "allow");
  const isAllowed = decision === "allow";
  return (
    <Section title={name}>
      <div className="form">
        <div className={`verdict ${decision}`} role="status">
          <strong>{isAllowed ? `${subject.login} may run this.` : `${subject.login} may not run this.`}</strong>
          {bypass !== null && <span>No constraint binds an administrator.</span>}
          {!isAllowed && (
            <span>
              {refused.length} of {checks.length} checks refuse it.
            </span>
          )}
        </div>
        {refused.length > 0 && (
          <Table label={`Why ${name} is refused`} columns={columns(isSelf)} rows={refused} keyOf={keyOf} />
        )}
        {allowed.length > 0 && (
          <details className="checks" open={isAllowed}>
            <summary>What passes</summary>
            <Table
              label={`What passes of ${name}`}
              columns={columns(isSelf).slice(0, 2)}
              rows={allowed}
              keyOf={keyOf}
            />
          </details>
        )}
      </div>
    </Section>
  );
}

function keyOf({ kind, item }: Check): string {
  return `${kind} ${item}`;
}

function columns(isSelf: boolean): readonly Column<Check>[] {
  return [
    {
      title: "Outcome",
      cell: ({ outcome }) => (
        <Badge tone={outcome === "allow" ? "good" : "bad"}>{outcome === "allow" ? "Allowed" : "Refused"}</Badge>
      ),
    },
    {
      title: "What",
      cell: ({ kind, item }) => (
        <span className="stack">
          <span className="mono">{item}</span>
          <span className="hint">{kind === "subject" ? "The user" : KIND_TEXTS[kind]}</span>
        </span>
      ),
    },
    { title: "Because", cell: (check) => <Refusals check={check} isSelf={isSelf} /> },
    {
      title: "Would pass",
      cell: ({ passing, remedy }) => (
        <span className="stack">
          {passing.map((one) => (
            <span key={one}>{one}</span>
          ))}
          {remedy !== null && <span className="hint">{remedy}</span>}
        </span>
      ),
    },
  ];
}

const REASONS: Readonly<Record<string, string>> = {
  "not-granted": "Nothing grants it.",
  "outside-limit": "It is outside a limit:",
  denied: "It is denied:",
  "over-quota": "It is over a quota:",
  "limit-required": "A quota counts it, so the container needs a limit of its own:",
  "not-counted": "Nobody could count what the group uses:",
  "unreadable-constraint": "A constraint cannot be read:",
  inactive: "The user is disabled.",
};

function Refusals({ check, isSelf }: { readonly check: Check; readonly isSelf: boolean }) {
  if (check.refusals.length === 0) return <span className="quiet">–</span>;
  return (
    <span className="stack">
      {check.refusals.map(({ reason, constraints }) => (
        <span key={reason}>
          {REASONS[reason] ?? reason}
          {constraints.map((constraint) => (
            <span key={constraint.id} className="stack">
              <span>
                {EFFECT_TEXTS[constraint.effect ?? "limit"]} <span className="mono">{describeValue(constraint)}</span>
                {kindOf(constraint) === undefined && ` (${constraint.kind})`}, from{" "}
                <Source constraint={constraint} isSelf={isSelf} />
              </span>
            </span>
          ))}
        </span>
      ))}
    </span>
  );
}
