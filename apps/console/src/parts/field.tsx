import { type ReactNode, useId } from "react";
import { Checkbox, FieldError, Input, Label, Text, TextArea, TextField } from "react-aria-components";

interface Common {
  readonly label: string;
  readonly hint?: ReactNode;
  /** What is wrong with the value. */
  readonly fault?: string | undefined;
}

interface TextProps extends Common {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: "text" | "password" | "email" | "search" | "datetime-local";
  readonly autoComplete?: string;
  readonly placeholder?: string;
  readonly isRequired?: boolean;
  readonly isDisabled?: boolean;
  readonly autoFocus?: boolean;
  /** Lines of a text of several lines. */
  readonly rows?: number;
  /** The id of a `datalist` with suggestions. */
  readonly list?: string;
}

export function TextInput({ label, hint, fault, rows, placeholder, list, ...field }: TextProps) {
  const written = { ...(placeholder === undefined ? {} : { placeholder }), ...(list === undefined ? {} : { list }) };
  return (
    <TextField className="field" isInvalid={fault !== undefined} validationBehavior="aria" {...field}>
      <Label>{label}</Label>
      {rows === undefined ? <Input {...written} /> : <TextArea rows={rows} spellCheck="false" {...written} />}
      {hint !== undefined && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <FieldError className="fault">{fault}</FieldError>
    </TextField>
  );
}

interface ChoiceProps<T extends string> extends Common {
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly options: readonly { readonly value: T; readonly text: string }[];
  readonly isDisabled?: boolean;
}

/** One of a few, by the browser's own list. */
export function Choice<T extends string>({ label, hint, fault, value, onChange, options, isDisabled }: ChoiceProps<T>) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        disabled={isDisabled}
        onChange={(event) => {
          const chosen = options.find((one) => one.value === event.target.value);
          if (chosen !== undefined) onChange(chosen.value);
        }}
      >
        {options.map((one) => (
          <option key={one.value} value={one.value}>
            {one.text}
          </option>
        ))}
      </select>
      {hint !== undefined && <span className="hint">{hint}</span>}
      {fault !== undefined && <span className="fault">{fault}</span>}
    </div>
  );
}

interface TickProps {
  readonly children: ReactNode;
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
  readonly isDisabled?: boolean;
}

export function Tick({ children, ...rest }: TickProps) {
  return (
    <Checkbox className="tick" {...rest}>
      <span className="box" aria-hidden="true" />
      <span>{children}</span>
    </Checkbox>
  );
}
