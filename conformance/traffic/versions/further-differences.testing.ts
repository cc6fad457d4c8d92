import type { Difference } from "../differences.testing.ts";

/** Requests that are answered otherwise altogether, and why. */
const OTHER_ANSWERS: readonly (readonly [where: string, because: string])[] = [
  ["*/attach?*", "one way to take a connection over, with an exec's headers; what fails before is an ordinary error"],
  ["GET /volumes/", "a path that ends in a slash is no route: no path means another"],
  ["GET /images/get", "an archive of no image is of no use: the parameter is missing"],
  ["POST /images/create", "a parameter is missing, not an address wrong"],
  [
    "POST /images/create?fromSrc=http*",
    "images come from registries and bodies, not from any address that a client names",
  ],
  ["*events*colour*", "an unknown filter is refused, as with every other list"],
  ["POST /plugins/nope/enable", "there is no such plugin, whatever else is wrong"],
  ["GET /containers/r-created/checkpoints", "not supported, with or without experiments"],
  ["raw GET /v1.52/nope", "the version is judged before the path"],
  ['*"Hostname":"a b"*', "refused at create, where dockerd fails at start"],
  ['*"Volumes":{"data:/x:y:z"*', "refused at create, where dockerd makes a folder of that name"],
  ['*"Sysctls"*', "refused at create, where dockerd fails at start"],
  ['*"Ulimits"*', "refused at create, where dockerd fails at start"],
  ['*Mode":"nope"*', "refused at create, where dockerd fails at start"],
  ['*/exec {"Cmd":["true"],"Env":["=x"]}', "refused at create of the exec, where dockerd fails at its start"],
  ['83. POST /networks/create *"IPRange"*', "a range outside of its subnet would give addresses that nobody reaches"],
  ['4. POST /containers/v-old/start {"Binds"*', "a start takes ports at most: the rest belongs to create"],
  ["17. POST /exec/$EXEC/start {}", "the second start of an exec is told before the stream begins, not in it"],
  ["*cut=head POST */wait*", "the head goes out at once at every version; dockerd holds it back below 1.30"],
  ["GET /containers/json?before=nope", "older clients mean `before`, which later versions left out"],
  ["GET /containers/json?all=1&before=*", "older clients mean `before`, which later versions left out"],
];

/** Places of single requests. */
const PLACES: readonly Difference[] = [
  ...["publish", "expose", "exited"].map((key) => ({
    where: `GET /containers/json?filters={"${key}":["nope"]}`,
    place: "says",
    because: "says what would be right",
  })),
  { where: "*prune*soon*", place: "says", because: "says what would be right" },
  { where: "GET /networks?*nope*", place: "says", because: "says what would be right" },
  {
    where: "GET /distribution/000*",
    place: "says",
    because: "the message that a tag of that name gets",
  },
  { where: "tar=garbage *", place: "says", because: "what reads archives here has words of its own" },
  {
    where: "*POST /images/load",
    place: "says",
    because: "says what an archive of images has to hold, and no path of the engine's",
  },
  { where: "*DetachKeys*", place: "says", because: "says which key is none" },
  { where: "*LogConfig*nope*", place: "says", because: "log drivers are no plugins here" },
  {
    where: "DELETE /containers/r-created?link=1",
    place: "status",
    because: "a conflict, as the message says itself",
  },
  {
    where: "POST /containers/*/start",
    place: "status",
    recorded: "304",
    because: "204 at API 1.12, as its document says: 304 came with 1.13",
  },
  {
    where: "5. POST /containers/v-old/start",
    place: "status",
    recorded: "304",
    because: "the start before it was refused",
  },
  {
    where: "*GET /containers/v-one/json",
    place: "/ExecIDs",
    because: "dockerd holds the exec that is refused here",
  },
  { where: "*POST /networks/create *", place: "says", because: "says what would be right" },
  {
    where: "*GET /networks/v-net",
    place: "/IPAM/Config/*/Gateway",
    because: "the gateway that was chosen is told, as it is where the subnet was chosen, too",
  },
  {
    where: "DELETE /volumes/r-vol*",
    place: "says",
    because: "whose container holds a volume is not told to whoever may not see that container",
  },
  ...["raw GET /v1.5/*"].map((where) => ({
    where,
    place: "says",
    because: "the least version is 1.24, and 1.6 for create, start, inspect and list",
  })),
  ...["/HostConfig/Binds", "/HostConfig/MaskedPaths", "/HostConfig/ReadonlyPaths", "/Mounts/*"].map((place) => ({
    where: "6. GET /containers/v-old/json",
    place,
    because: "the start that named it was refused: a start takes ports at most",
  })),
];

export const FURTHER_DIFFERENCES: readonly Difference[] = [
  ...OTHER_ANSWERS.map(([where, because]) => ({ where, place: "*", because })),
  ...PLACES,
];
