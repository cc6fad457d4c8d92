import { type Any, messageOf } from "./protos.ts";

/** Packs a message as containerd would. */
export function encodeMessage(typeUrl: string, message: object): Any {
  const type = messageOf(typeUrl);
  if (type === undefined) throw new Error(`no message ${typeUrl} in the protos`);
  return { type_url: typeUrl, value: type.serialize(message) };
}
