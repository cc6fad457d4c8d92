import type { Difference } from "../differences.testing.ts";
import { FURTHER_DIFFERENCES } from "./further-differences.testing.ts";
import { LATER_DIFFERENCES } from "./later-differences.testing.ts";

/** What holds of every request alike: statuses, headers, words and fields. */
const GENERAL: readonly Difference[] = [
  {
    where: "*",
    place: "status",
    recorded: "500",
    played: "400",
    because: "what the client got wrong is no fault of the engine's: 400, as later releases say",
  },
  {
    where: "*",
    place: "says",
    played: "*invalid JSON: *",
    because: "a body that cannot be read is told in Go's words and, as by later releases, begins with what it is about",
  },
  {
    where: "*filters=*",
    place: "says",
    played: "invalid filters: *",
    because: "says which part of the request is wrong, in words of its own reader",
  },
  {
    where: "*",
    place: "says",
    recorded: "*strconv.*",
    played: "query parameter *",
    because: "says which parameter is wrong",
  },
  {
    where: "*",
    place: "says",
    recorded: "bad parameter: pathcannot be empty",
    because: "a blank that dockerd forgot",
  },
  {
    where: "cut=line GET /containers/*/stats",
    place: "header content-type",
    recorded: "nothing",
    because: "none on dockerd 20.10 for a stream of them; it is what a single answer has",
  },
  ...["Dns", "DnsOptions", "DnsSearch", "Devices"].map((field) => ({
    where: "*GET /containers/*/json*",
    place: `/HostConfig/${field}`,
    recorded: "null",
    played: "array",
    because: "an empty list where dockerd has null for a client that left it out, [] for one that did not",
  })),
  {
    where: "*",
    place: "/GraphDriver/Data",
    because: "layers are containerd's snapshots, whose folders are no client's business",
  },
  {
    where: "*GET /containers/*/json*",
    place: "/NetworkSettings/PortMapping",
    because: "null at every version, as the documents of the first ones have it",
  },
  {
    where: "GET /containers/r-created/json",
    place: "/HostConfig/Runtime",
    because: "the default is known at create; dockerd fills it in at start",
  },
  {
    where: "GET /version",
    place: "*/BuildTime",
    because: "a build from sources has no moment that says anything; the field is optional",
  },
];

export const DIFFERENCES: readonly Difference[] = [...GENERAL, ...LATER_DIFFERENCES, ...FURTHER_DIFFERENCES];
