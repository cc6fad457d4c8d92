import { type Expected, onOwnPorts } from "./bug-reports.testing.ts";

/** What Berth answers otherwise than the engine of the reports: by report, then by the step's number from 0. */
export const decisions: Readonly<
  Record<string, { readonly because: string; readonly steps: Readonly<Record<number, Expected>> }>
> = onOwnPorts({
  A21: {
    because: "a port key is kept as it is compared, in lower case with its protocol",
    steps: {
      5: {
        at: {
          "/NetworkSettings/Ports": { "80/tcp": [{ HostIp: "0.0.0.0", HostPort: "30150" }] },
          "/HostConfig/PortBindings": { "80/tcp": [{ HostIp: "", HostPort: "30150" }] },
        },
      },
    },
  },
  A22: {
    because: "a binding exposes its port and is never dropped in silence, as with later engines",
    steps: {
      2: {
        at: {
          "/NetworkSettings/Ports": { "80/tcp": [{ HostIp: "0.0.0.0", HostPort: "30198" }] },
          "/HostConfig/PortBindings": { "80/tcp": [{ HostIp: "", HostPort: "30198" }] },
          "/Config/ExposedPorts": { "80/tcp": {} },
        },
      },
    },
  },
  B16: {
    because: "below 1.24 there are create, start, inspect and list alone, as later engines begin at 1.24",
    steps: {
      1: { status: 400, contains: "client version 1.11 is too old. Minimum supported API version is 1.24" },
    },
  },
});
