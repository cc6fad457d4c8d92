export interface BadInput {
  readonly what: string;
  readonly method?: string;
  readonly path?: string;
  /** Sent as it stands. */
  readonly body?: string;
  /** `application/json` unless told; null sends none. */
  readonly type?: string | null;
  readonly status: number;
  /** What the message says, or the whole of it. */
  readonly says: RegExp | string;
}

function wish(bindings: unknown, rest: object = {}) {
  return JSON.stringify({ Image: "busybox", HostConfig: { PortBindings: bindings }, ...rest });
}

/** Bodies of a create request. */
export const BODIES: readonly BadInput[] = [
  { what: "no body", body: "", status: 400, says: /./ },
  { what: "half an object", body: '{"Image":', status: 400, says: /./ },
  { what: "text after the object", body: '{"Image":"busybox"} x', status: 400, says: /./ },
  { what: "a list", body: "[]", status: 400, says: /./ },
  { what: "null", body: "null", status: 400, says: /./ },
  { what: "a body that is no UTF-8 text", body: '{"Image":"\xff\xfe', status: 400, says: /./ },
  {
    what: "no content type",
    body: "{}",
    type: null,
    status: 400,
    says: "malformed Content-Type header (): mime: no media type",
  },
  {
    what: "a wrong content type",
    body: "{}",
    type: "text/plain",
    status: 400,
    says: "unsupported Content-Type header (text/plain): must be 'application/json'",
  },
  { what: "nothing", body: "{}", status: 400, says: "config cannot be empty in order to create a container" },
  { what: "no image", body: '{"Cmd":["true"]}', status: 400, says: /[Ii]mage/ },
  { what: "an empty image", body: '{"Image":""}', status: 400, says: /[Ii]mage/ },
  { what: "an image that is no text", body: '{"Image":7}', status: 400, says: /Image/ },
  { what: "an unknown image", body: '{"Image":"nope:latest"}', status: 404, says: "No such image: nope:latest" },
  { what: "a command that is a number", body: '{"Image":"busybox","Cmd":7}', status: 400, says: /Cmd/ },
  { what: "an environment that is an object", body: '{"Image":"busybox","Env":{"A":"b"}}', status: 400, says: /Env/ },
  { what: "a tty that is text", body: '{"Image":"busybox","Tty":"yes"}', status: 400, says: /Tty/ },
  {
    what: "a host configuration that is text",
    body: '{"Image":"busybox","HostConfig":"x"}',
    status: 400,
    says: /HostConfig/,
  },
  {
    what: "memory that is text",
    body: '{"Image":"busybox","HostConfig":{"Memory":"1g"}}',
    status: 400,
    says: /Memory/,
  },
  {
    what: "exposed ports that are a list",
    body: '{"Image":"busybox","ExposedPorts":["80/tcp"]}',
    status: 400,
    says: /ExposedPorts/,
  },
  {
    what: "an exposed port that is no number",
    body: '{"Image":"busybox","ExposedPorts":{"abc/tcp":{}}}',
    status: 400,
    says: /abc/,
  },
  { what: "an exposed port 0", body: '{"Image":"busybox","ExposedPorts":{"0/tcp":{}}}', status: 400, says: /0\/tcp/ },
  {
    what: "an exposed port 65536",
    body: '{"Image":"busybox","ExposedPorts":{"65536/tcp":{}}}',
    status: 400,
    says: /65536/,
  },
  { what: "an unknown protocol", body: '{"Image":"busybox","ExposedPorts":{"80/icmp":{}}}', status: 400, says: /icmp/ },
  {
    what: "a port twice by two spellings",
    body: '{"Image":"busybox","ExposedPorts":{"80":{},"80/TCP":{}}}',
    status: 400,
    says: /80/,
  },
  { what: "bindings that are a list", body: wish([]), status: 400, says: /PortBindings/ },
  { what: "a binding that is no list", body: wish({ "80/tcp": { HostPort: "1" } }), status: 400, says: /80\/tcp/ },
  {
    what: "a host port that is a number",
    body: wish({ "80/tcp": [{ HostPort: 8080 }] }),
    status: 400,
    says: /HostPort/,
  },
  {
    what: "a host port that is no number",
    body: wish({ "80/tcp": [{ HostPort: "aa80" }] }),
    status: 400,
    says: /invalid port specification: "aa80"/,
  },
  {
    what: "a host port 65536",
    body: wish({ "80/tcp": [{ HostPort: "65536" }] }),
    status: 400,
    says: /invalid port specification: "65536"/,
  },
  {
    what: "a host port below 0",
    body: wish({ "80/tcp": [{ HostPort: "-1" }] }),
    status: 400,
    says: /invalid port specification: "-1"/,
  },
  {
    what: "a host range that runs backwards",
    body: wish({ "80/tcp": [{ HostPort: "21112-21110" }] }),
    status: 400,
    says: /21112-21110/,
  },
  { what: "a host range from 0", body: wish({ "80/tcp": [{ HostPort: "0-5" }] }), status: 400, says: /0-5/ },
  {
    what: "a bound port that is a range",
    body: wish({ "80-82/tcp": [{ HostPort: "21112" }] }),
    status: 400,
    says: /80-82/,
  },
  {
    what: "a host address that is a name",
    body: wish({ "80/tcp": [{ HostIp: "localhost" }] }),
    status: 400,
    says: /localhost/,
  },
  {
    what: "a host address that is none",
    body: wish({ "80/tcp": [{ HostIp: "256.1.1.1" }] }),
    status: 400,
    says: /256\.1\.1\.1/,
  },
  {
    what: "a port spec with an interface",
    body: '{"Image":"busybox","PortSpecs":["eth0:8080:80"]}',
    status: 400,
    says: /invalid hostPort/,
  },
  { what: "port specs that are text", body: '{"Image":"busybox","PortSpecs":"80"}', status: 400, says: /PortSpecs/ },
  {
    what: "a network of a container with ports",
    body: wish({ "80/tcp": [{}] }, {}).replace("{}]}", '{}]},"NetworkMode":"container:x"'),
    status: 400,
    says: "conflicting options: port publishing and the container type network mode",
  },
  {
    what: "an unknown restart policy",
    body: '{"Image":"busybox","HostConfig":{"RestartPolicy":{"Name":"sometimes"}}}',
    status: 400,
    says: /sometimes|RestartPolicy/,
  },
  { what: "a bind without a path", body: '{"Image":"busybox","HostConfig":{"Binds":["x"]}}', status: 400, says: /./ },
  {
    what: "an unknown capability",
    body: '{"Image":"busybox","HostConfig":{"CapAdd":["CAP_FLY"]}}',
    status: 400,
    says: /CAP_FLY/,
  },
];
