import { ask, DirectoryUnavailable } from "@berth/directory-client";
import type { Argv } from "yargs";
import { Refused, Unreachable } from "./api.ts";
import type { Context } from "./context.ts";
import { dockerConfigPath, readDockerToken, writeDockerToken } from "./docker-client/config.ts";

interface Started {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly path: string;
  readonly expiresAt: string;
  readonly interval: number;
}

interface Session {
  readonly token: string;
  readonly expiresAt: string;
  readonly user: { readonly login: string };
}

/** `berth login` and `berth logout`: a token for this command and for docker, approved in a browser. */
export function loginCommands(y: Argv, context: Context): Argv {
  const { terminal, url } = context;
  const path = dockerConfigPath(terminal.env);
  return y
    .command(
      "login",
      "Sign in through a browser; the token goes into Docker's settings, for docker and for this command",
      (c) => c.option("label", { type: "string", describe: "What you recognise this machine by" }),
      async (args) => {
        const label = args.label ?? `${terminal.env.USER ?? "berth"}@${terminal.hostname}`;
        const started = (await call(context, "/api/device-logins", { label: label.slice(0, 60) })).body as Started;
        const page = new URL(started.path, url).href;
        terminal.complain(`Open ${page}\nand approve the code ${started.userCode}.\n`);
        const session = await approved(context, started);
        await writeDockerToken(path, session.token);
        const until = session.expiresAt.slice(0, 10);
        terminal.write(`You are ${session.user.login}, until ${until}. The token is in ${path}.\n`);
      },
    )
    .command("logout", "Revoke the token of `berth login`, and take it out of Docker's settings", {}, async () => {
      const token = await readDockerToken(path);
      if (token === undefined) throw new Refused(`${path} holds no token of Berth: nobody is signed in there`);
      // It goes from the file in any case; one that no longer works needs no revoking.
      await writeDockerToken(path, undefined);
      const answer = await ask({ url, fetch: terminal.fetch }, { method: "POST", path: "/api/logout", token }).catch(
        away,
      );
      if (!answer.ok && answer.status !== 401) throw new Refused(answer.detail);
      terminal.write("You are signed out.\n");
    });

  function away(fault: unknown): never {
    if (!(fault instanceof DirectoryUnavailable)) throw fault;
    throw new Unreachable(
      `the directory at ${url} does not answer: the token is no longer on this machine, but it was not revoked`,
    );
  }
}

async function call({ terminal, url }: Context, path: string, body: object) {
  const answer = await ask({ url, fetch: terminal.fetch }, { method: "POST", path, body }).catch((fault: unknown) => {
    if (!(fault instanceof DirectoryUnavailable)) throw fault;
    throw new Unreachable(`the directory at ${url} does not answer`);
  });
  if (!answer.ok) throw new Refused(answer.detail);
  return answer;
}

/** The session, once the user has approved it. @throws Refused when it is declined, or takes too long */
async function approved(context: Context, { deviceCode, expiresAt, interval }: Started): Promise<Session> {
  const end = Date.parse(expiresAt);
  while (Date.now() < end) {
    const answer = await call(context, "/api/device-logins/token", { deviceCode });
    if (answer.body !== undefined) return answer.body as Session;
    await context.terminal.pause(interval * 1_000);
  }
  throw new Refused("nobody approved the code in time; run berth login again");
}
