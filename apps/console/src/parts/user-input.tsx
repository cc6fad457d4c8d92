import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { API, bodyOf, type Schemas } from "../api/client.ts";
import { TextInput } from "./field.tsx";

interface UserInputProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (login: string) => void;
  readonly placeholder?: string;
}

/** A login, with suggestions for what is typed. */
export function UserInput({ label, value, onChange, placeholder = "Login" }: UserInputProps) {
  const list = useId();
  const q = value.trim();
  const asked = useQuery({
    queryKey: ["users", "suggested", q],
    enabled: q !== "",
    staleTime: 30_000,
    queryFn: () => bodyOf(API.GET("/api/users", { params: { query: { q, limit: 8 } } })),
  });
  return (
    <>
      <TextInput
        label={label}
        value={value}
        onChange={onChange}
        placeholder={placeholder}
        list={list}
        autoComplete="off"
      />
      <datalist id={list}>
        {asked.data?.map(({ id, login, name }) => (
          <option key={id} value={login}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}

/** The user of this login. @throws Error if there is none. */
export async function userNamed(login: string): Promise<Schemas["User"]> {
  const [found] = await bodyOf(API.GET("/api/users", { params: { query: { login: login.trim(), limit: 1 } } }));
  if (found === undefined) throw new Error(`There is no user ${login.trim()}.`);
  return found;
}
