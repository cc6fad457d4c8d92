import { describe, expect, test } from "vitest";
import type { ImageConfig } from "../images.ts";
import { applyChanges } from "./changes.ts";

const BASE: ImageConfig = { Env: ["PATH=/bin", "HOME=/root"], Cmd: ["sh"], WorkingDir: "/srv" };

describe("applyChanges", () => {
  const cases: readonly (readonly [string, ImageConfig])[] = [
    ["CMD echo hi", { Cmd: ["/bin/sh", "-c", "echo hi"] }],
    ['CMD ["echo", "hi there"]', { Cmd: ["echo", "hi there"] }],
    ["cmd echo hi", { Cmd: ["/bin/sh", "-c", "echo hi"] }],
    ['CMD ["unclosed', { Cmd: ["/bin/sh", "-c", '["unclosed'] }],
    ["CMD []", { Cmd: [] }],
    ['ENTRYPOINT ["/init"]', { Entrypoint: ["/init"], Cmd: null }],
    ['CMD ["a"]\nENTRYPOINT ["/init"]', { Entrypoint: ["/init"], Cmd: ["a"] }],
    ["ENV A=1 B='two words' C=\"x $HOME\"", { Env: ["PATH=/bin", "HOME=/root", "A=1", "B=two words", "C=x /root"] }],
    ["ENV PATH=$PATH:/opt/bin", { Env: ["PATH=/bin:/opt/bin", "HOME=/root"] }],
    ["ENV NAME some long value", { Env: ["PATH=/bin", "HOME=/root", "NAME=some long value"] }],
    [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a Dockerfile's variables
      "ENV A=${NOPE:-there} B=${HOME:+here} C='$HOME' D=\\$HOME",
      { Env: ["PATH=/bin", "HOME=/root", "A=there", "B=here", "C=$HOME", "D=$HOME"] },
    ],
    [
      "EXPOSE 80 53/udp 8000-8002",
      { ExposedPorts: { "80/tcp": {}, "53/udp": {}, "8000/tcp": {}, "8001/tcp": {}, "8002/tcp": {} } },
    ],
    ["USER ann:staff", { User: "ann:staff" }],
    ["WORKDIR /app", { WorkingDir: "/app" }],
    ["WORKDIR app/../web", { WorkingDir: "/srv/web" }],
    ['VOLUME ["/data", "/log"]', { Volumes: { "/data": {}, "/log": {} } }],
    ["VOLUME /data /log", { Volumes: { "/data": {}, "/log": {} } }],
    ['LABEL a=1 "b c"="d e"', { Labels: { a: "1", "b c": "d e" } }],
    ["ONBUILD RUN make", { OnBuild: ["RUN make"] }],
    ["STOPSIGNAL SIGINT", { StopSignal: "SIGINT" }],
    ["HEALTHCHECK NONE", { Healthcheck: { Test: ["NONE"] } }],
    [
      "HEALTHCHECK --interval=1m30s --timeout=500ms --retries=3 CMD curl -f localhost",
      { Healthcheck: { Test: ["CMD-SHELL", "curl -f localhost"], Interval: 90e9, Timeout: 5e8, Retries: 3 } },
    ],
    ['HEALTHCHECK CMD ["true"]', { Healthcheck: { Test: ["CMD", "true"] } }],
    ["# a comment\n\nUSER ann", { User: "ann" }],
    ["LABEL a=1 \\\n  b=2", { Labels: { a: "1", b: "2" } }],
  ];
  test.each(cases)("%s", (change, changed) => {
    expect(applyChanges(BASE, [change])).toEqual({ ok: true, value: { ...BASE, ...changed } });
  });

  test.each([
    ["RUN make", "RUN is not a valid change command"],
    ["FROM scratch", "FROM is not a valid change command"],
    ["nonsense", "nonsense is not a valid change command"],
    ["ENV", "ENV requires at least one argument"],
    ["ENV =x", 'ENV names cannot be blank and need a value: "=x"'],
    ["LABEL a='b", "LABEL: a quote is not closed"],
    ["EXPOSE 80/icmp", "invalid containerPort: 80/icmp"],
    ["EXPOSE 0", "invalid containerPort: 0"],
    ["EXPOSE 90-80", "invalid containerPort: 90-80"],
    ["EXPOSE 70000", "invalid containerPort: 70000"],
    ["USER", "USER requires at least one argument"],
    ["USER a b", "USER requires exactly one argument"],
    ['VOLUME [""]', "VOLUME specified can not be an empty string"],
    ["ONBUILD FROM x", "FROM isn't allowed as an ONBUILD trigger"],
    ["ONBUILD ONBUILD RUN x", "Chaining ONBUILD via `ONBUILD ONBUILD` isn't allowed"],
    ["HEALTHCHECK --nope=1 CMD x", "unknown flag: nope"],
    ["HEALTHCHECK --interval=soon CMD x", 'invalid duration "soon" of --interval'],
    ["HEALTHCHECK --interval=1us CMD x", 'Interval "interval" cannot be less than 1ms'],
    ["HEALTHCHECK --retries=-1 CMD x", '--retries must be a number that is not negative, not "-1"'],
    ["HEALTHCHECK RUN x", 'Unknown type "RUN" in HEALTHCHECK (try CMD)'],
    ["HEALTHCHECK CMD", "Missing command after HEALTHCHECK CMD"],
    [
      `EXPOSE ${Array.from({ length: 5_000 }, (_, at) => `${at + 1}-65535`).join(" ")}`,
      "EXPOSE of more than 196605 ports",
    ],
    [Array.from({ length: 60 }, () => "ENV A=x$A$A").join("\n"), "ENV: more than 262144 characters with its variables"],
    ["ENV A=1\n".repeat(100), "changes have at most 100 instructions, and these have 101"],
    [`ENV A=${"x".repeat(70_000)}`, "changes have at most 65536 characters, and these have 70014"],
  ])("rejects %.60s", (change, error) => {
    expect(applyChanges(BASE, ["USER ann", change])).toEqual({ ok: false, error });
  });
});
