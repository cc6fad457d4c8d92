import { HOST_PRIVILEGES, type Kind, RESOURCES, SHARED_RESOURCES } from "@berth/directory-domain";
import { Button } from "../parts/button.tsx";
import { Choice, TextInput, Tick } from "../parts/field.tsx";
import { RESOURCE_TEXTS } from "./describe.ts";
import type { Draft } from "./draft.ts";

interface FieldsProps {
  readonly draft: Draft;
  readonly change: (changes: Partial<Draft>) => void;
  readonly fault: string | undefined;
}

const LINES: Readonly<
  Partial<Record<Kind, { readonly label: string; readonly hint: string; readonly example: string }>>
> = {
  "host-ports": {
    label: "Ports",
    hint: "One port or range a line, each for every protocol or for one. Nothing means none.",
    example: "8000-8099\n53/udp",
  },
  "host-interfaces": {
    label: "Host addresses",
    hint: "One address or CIDR block a line; * is every address.",
    example: "127.0.0.1\n10.0.0.0/8",
  },
  images: {
    label: "Image patterns",
    hint: "One pattern a line; * stands for any run of characters. nginx means Docker Hub's, in every version.",
    example: "nginx\nregistry.example.com/team/*",
  },
  networks: {
    label: "Networks",
    hint: "One NAME or OWNER/NAME a line; * stands for any run of characters.",
    example: "teamnet\n7/shop_back",
  },
  subnets: { label: "Subnets", hint: "One CIDR block a line; * is every subnet.", example: "10.1.0.0/16" },
};

/** The form of a kind's value. */
export function ConstraintFields(props: FieldsProps) {
  const { draft, change, fault } = props;
  const lines = LINES[draft.kind];
  if (lines !== undefined)
    return (
      <TextInput
        label={lines.label}
        hint={lines.hint}
        placeholder={lines.example}
        rows={4}
        value={draft.lines}
        onChange={(text) => change({ lines: text })}
        fault={fault}
      />
    );
  if (draft.kind === "mounts") return <Folders {...props} />;
  if (draft.kind === "privileges") return <Privileges {...props} />;
  const resources = draft.kind === "quota" ? RESOURCES : SHARED_RESOURCES;
  const isBytes = draft.resource === "memory" || draft.resource === "storage";
  return (
    <div className="row">
      <Choice
        label="Of what"
        value={draft.resource}
        onChange={(resource) => change({ resource })}
        options={resources.map((value) => ({ value, text: RESOURCE_TEXTS[value] }))}
      />
      <TextInput
        label="At most"
        value={draft.amount}
        onChange={(amount) => change({ amount })}
        placeholder={isBytes ? "4g" : "10"}
        fault={fault}
        isRequired
      />
    </div>
  );
}

function Folders({ draft, change, fault }: FieldsProps) {
  const put = (at: number, folder: Draft["folders"][number]) =>
    change({ folders: draft.folders.map((one, n) => (n === at ? folder : one)) });
  return (
    <div className="form">
      {draft.folders.map((folder, at) => (
        <div className="row" key={at}>
          <TextInput
            label={`Folder ${at + 1}`}
            value={folder.path}
            placeholder="/srv/data"
            onChange={(path) => put(at, { ...folder, path })}
            fault={at === 0 ? fault : undefined}
          />
          <Tick isSelected={folder.readOnly} onChange={(readOnly) => put(at, { ...folder, readOnly })}>
            Read-only
          </Tick>
        </div>
      ))}
      <div>
        <Button kind="quiet" onPress={() => change({ folders: [...draft.folders, { path: "", readOnly: true }] })}>
          Another folder
        </Button>
      </div>
    </div>
  );
}

function Privileges({ draft, change, fault }: FieldsProps) {
  return (
    <div className="form">
      <fieldset className="columns">
        <legend>Privileges</legend>
        {HOST_PRIVILEGES.map((name) => (
          <Tick
            key={name}
            isSelected={draft.privileges.includes(name)}
            onChange={(isSelected) =>
              change({
                privileges: isSelected ? [...draft.privileges, name] : draft.privileges.filter((one) => one !== name),
              })
            }
          >
            {name}
          </Tick>
        ))}
      </fieldset>
      <TextInput
        label="Capabilities"
        hint="Separated by spaces; ALL is all of them."
        placeholder="NET_ADMIN SYS_PTRACE"
        value={draft.capabilities}
        onChange={(capabilities) => change({ capabilities })}
        fault={fault}
      />
    </div>
  );
}
