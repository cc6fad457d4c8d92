import { json, lines } from "./lines.mjs";

/** Images, and their registry. */
export const images = lines(`
  GET /images/json
  GET /images/json?all=1
  GET /images/json?filter=r/one
  ${["dangling", "before", "since", "colour", "label", "reference"]
    .map((key) => `GET /images/json?filters=${json({ [key]: ["nope"] })}`)
    .join("\n")}
  GET /images/json?filters=${json({ reference: ["["] })}
  GET /images/json?filters=${json({ dangling: ["true"] })}
  GET /images/json?filters=${json({ reference: ["r/*"] })}
  GET /images/json?filters=x
  GET /images/busybox/json
  GET /images/busybox/history
  GET /images/nope/json
  GET /images/UPPER/json
  GET /images/nope/history
  POST /images/nope/tag?repo=r/no
  POST /images/busybox/tag
  POST /images/busybox/tag?repo=UPPER
  POST /images/busybox/tag?repo=r/no&tag=a%20b
  POST /images/busybox/tag?repo=${"0".repeat(64)}
  DELETE /images/nope
  DELETE /images/UPPER
  GET /images/nope/get
  GET /images/get
  GET /images/get?names=nope
  GET /images/r/one:1/get
  GET /images/get?names=r/one:1
  POST /images/nope/push
  POST /images/$REGISTRY/nope/push
  POST /images/UPPER/push
  POST /images/create
  POST /images/create?fromImage=UPPER
  POST /images/create?fromImage=$REGISTRY/r/nope&tag=1
  POST /images/create?fromImage=$REGISTRY/r/base&tag=a%20b
  POST /images/create?fromImage=$REGISTRY/r/base&tag=1&platform=a/b/c/d
  POST /images/create?fromImage=$REGISTRY/r/base&tag=1&platform=plan9
  POST /images/create?fromImage=$REGISTRY/r/base&tag=1
  POST /images/create?fromImage=$REGISTRY/r/base
  tar=garbage POST /images/create?fromSrc=-&repo=r/no
  tar=file POST /images/create?fromSrc=-&repo=UPPER
  tar=file POST /images/create?fromSrc=-&repo=r/no&changes=NOPE
  POST /images/create?fromSrc=http://127.0.0.1:1/x
  tar=garbage POST /images/load
  tar=file POST /images/load
  POST /images/load
  POST /images/nope
  GET /images
`);
