import type { PortError } from "./port-error.ts";
import { err, ok, type Result } from "./result.ts";

/** A long form rewritten to the short form. */
export interface LongForm {
  readonly short: string;
  /** The position in the long form that a position in the short form came from. */
  positionOf(shortPosition: number): number;
}

/**
 * Rewrites the CLI's `published=8080,target=80,protocol=tcp` to `8080:80/tcp`, as the CLI does before it parses. Unknown names
 * such as `mode` are ignored; the last of two equal names wins.
 */
export function readLongForm(text: string): Result<LongForm, PortError> {
  const fields = new Map([["protocol", { value: "tcp", at: text.length }]]);
  let at = 0;
  for (const field of text.split(",")) {
    const equals = field.indexOf("=");
    if (equals <= 0) {
      return err({
        code: "bad-long-form",
        input: text,
        position: at,
        path: "",
        expected: "name=value, such as published=8080,target=80",
        message: `invalid publish opts format (should be name=value but got '${field}')`,
      });
    }
    fields.set(field.slice(0, equals), { value: field.slice(equals + 1), at: at + equals + 1 });
    at += field.length + 1;
  }
  const part = (name: string) => fields.get(name) ?? { value: "", at: text.length };
  const published = part("published");
  const target = part("target");
  const protocol = part("protocol");
  const targetAt = published.value.length + 1;
  const protocolAt = targetAt + target.value.length + 1;
  return ok({
    short: `${published.value}:${target.value}/${protocol.value}`,
    positionOf(position) {
      if (position >= protocolAt) return protocol.at + position - protocolAt;
      if (position >= targetAt) return target.at + position - targetAt;
      return published.at + position;
    },
  });
}
