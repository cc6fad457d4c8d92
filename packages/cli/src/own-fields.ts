import { type FieldValue, OWN_FIELD_KEY, parseFieldValue } from "@berth/directory-domain";
import type { Argv } from "yargs";
import { Refused } from "./api.ts";

/** The option that sets fields of one's own. */
export function withFields(y: Argv): Argv {
  return y.option("field", {
    type: "string",
    array: true,
    nargs: 1,
    describe: "A field of your own, name=value; name= removes it",
  });
}

/**
 * The fields that `--field name=value` sets; a name without a value removes the field.
 * @returns a merge patch; undefined without the option.
 */
export function fieldsOf(given: unknown): Readonly<Record<string, FieldValue | null>> | undefined {
  if (!Array.isArray(given)) return undefined;
  return Object.fromEntries(
    given.map((one) => {
      const [, name = "", value = ""] = /^([^=]*)=(.*)$/s.exec(String(one)) ?? [];
      if (!OWN_FIELD_KEY.test(name)) throw new Refused(`--field ${one}: must be a name, = and a value, as in floor=3`);
      return [name, parseFieldValue(value)];
    }),
  );
}

/** Fields without those that are to be removed, for a record that does not exist yet. */
export function newFields(given: unknown): { readonly fields?: object } {
  const fields = Object.entries(fieldsOf(given) ?? {}).filter(([, value]) => value !== null);
  return fields.length === 0 ? {} : { fields: Object.fromEntries(fields) };
}
