import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { listenFault, readTls } from "@berth/service-kit";
import type { Config } from "../../config.ts";
import { HOST_ADMINISTRATOR } from "../../engine/actor.ts";
import { findSystemAccount } from "../../host/system-accounts.ts";
import type { Answers } from "./gate.ts";
import { type ListenAt, type Listening, serve } from "./server.ts";

/**
 * Derives all listeners from the settings, reading files and system accounts but opening nothing.
 * Throws an error that names the invalid setting.
 */
export async function planListeners(config: Config): Promise<readonly ListenAt[]> {
  const { socket, runDir, listen, tls, userSockets } = config;
  const users = await Promise.all(
    userSockets.map(async (login): Promise<ListenAt> => {
      const owner = await findSystemAccount(login);
      if (owner === undefined)
        throw new Error(`BERTH_USER_SOCKETS: this system has no account ${login} that the socket could belong to`);
      return { kind: "user", path: join(runDir, "users", `${login}.sock`), login, owner };
    }),
  );
  return [
    { kind: "unix", path: socket, actor: HOST_ADMINISTRATOR },
    ...users,
    ...(listen === undefined ? [] : [{ kind: "tcp", ...listen, allowedHosts: [listen.host, "localhost"] } as const]),
    ...(tls === undefined
      ? []
      : [{ kind: "tls", ...tls.listen, credentials: await readTls("BERTH_TLS", tls.files) } as const]),
  ];
}

async function serveAt(app: Answers, at: ListenAt): Promise<Listening> {
  try {
    return await serve(app, at);
  } catch (thrown) {
    if (at.kind !== "tcp" && at.kind !== "tls") throw thrown;
    throw listenFault(at.kind === "tcp" ? "BERTH_LISTEN" : "BERTH_TLS_LISTEN", at, thrown);
  }
}

/** What is open. */
export interface Listeners {
  close(): Promise<void>;
  /** Reads the files of certificates again, for the connections from now on. Throws, and keeps what it has, if they are invalid. */
  reload(): Promise<void>;
}

/** Opens all listeners or none. */
export async function openListeners(
  app: Answers,
  plan: readonly ListenAt[],
  { runDir, tls }: Pick<Config, "runDir" | "tls">,
): Promise<Listeners> {
  const open: (Listening & Pick<ListenAt, "kind">)[] = [];
  const close = async () => {
    await Promise.all(open.map((listening) => listening.close({ graceMilliseconds: 2_000 })));
  };
  try {
    if (plan.some(({ kind }) => kind === "user")) {
      await mkdir(join(runDir, "users"), { recursive: true });
      // Ignore the umask: each socket's own mode restricts it.
      await chmod(join(runDir, "users"), 0o755);
    }
    for (const at of plan) open.push({ kind: at.kind, ...(await serveAt(app, at)) });
    return {
      close,
      reload: async () => {
        if (tls === undefined) return;
        const credentials = await readTls("BERTH_TLS", tls.files);
        for (const listening of open) if (listening.kind === "tls") listening.renew(credentials);
      },
    };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}
