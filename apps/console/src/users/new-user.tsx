import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { API, bodyOf, faultAt } from "../api/client.ts";
import { QUERIES } from "../api/query-client.ts";
import { FormDialog } from "../parts/dialog.tsx";
import { Choice, TextInput } from "../parts/field.tsx";
import { ErrorNote } from "../parts/state.tsx";

const ROLES = [
  { value: "user", text: "User" },
  { value: "operator", text: "Operator: reads everything" },
  { value: "admin", text: "Administrator" },
] as const;
const KINDS = [
  { value: "person", text: "Person" },
  { value: "service", text: "Service: a program, with tokens and no password" },
] as const;

export function NewUser({ onClose }: { readonly onClose: () => void }) {
  const [, go] = useLocation();
  const [login, setLogin] = useState("");
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [role, setRole] = useState<(typeof ROLES)[number]["value"]>("user");
  const [kind, setKind] = useState<(typeof KINDS)[number]["value"]>("person");
  const adding = useMutation({
    mutationFn: () => {
      const optional = (text: string) => (text.trim() === "" ? null : text.trim());
      const body = { login: login.trim(), email: optional(email), name: optional(name), role, kind };
      return bodyOf(API.POST("/api/users", { body: body as never }));
    },
    onSuccess: (user) => {
      void QUERIES.invalidateQueries({ queryKey: ["users"] });
      go(`/users/${user.id}`);
    },
  });
  return (
    <FormDialog
      title="Add a user"
      action="Add"
      onClose={onClose}
      onSubmit={() => adding.mutate()}
      isPending={adding.isPending}
    >
      <TextInput
        label="Login"
        value={login}
        onChange={setLogin}
        isRequired
        autoFocus
        fault={faultAt(adding.error, "/login")}
      />
      <TextInput label="Name" value={name} onChange={setName} fault={faultAt(adding.error, "/name")} />
      <TextInput
        label="E-mail"
        type="email"
        value={email}
        onChange={setEmail}
        fault={faultAt(adding.error, "/email")}
      />
      <Choice label="Role" value={role} onChange={setRole} options={ROLES} />
      <Choice label="Kind" value={kind} onChange={setKind} options={KINDS} />
      <ErrorNote error={adding.error} />
    </FormDialog>
  );
}
