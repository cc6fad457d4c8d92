import { type Any, messageType } from "./protos.ts";

/** Packs a message as containerd would. */
export function encodeMessage(name: Parameters<typeof messageType>[0], message: object): Any {
  return { type_url: name, value: messageType(name).serialize(message) };
}
