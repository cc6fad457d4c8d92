import { execFile } from "node:child_process";

/** The program that started a service and waits for its word: systemd, by sd_notify(3). */
export interface Supervisor {
  /** Tells that the service answers, and from now on, before every deadline, that it is alive. */
  ready(): Promise<void>;
  /** Tells that the service is stopping, and ends the signs of life. */
  stopping(): Promise<void>;
}

/** Whether the message reached systemd is not known here: a service must not fail for want of its supervisor. */
type Notify = (message: string) => Promise<void>;

/** By systemd's own program, as Node has no datagrams over Unix sockets. It waits until systemd has read the message. */
function notifyBy(env: NodeJS.ProcessEnv): Notify {
  return (message) =>
    new Promise((resolve) => {
      execFile("systemd-notify", [message], { env, timeout: 10_000 }, () => resolve());
    });
}

/**
 * Reads how the supervisor wants to hear of the service. Without one, every call does nothing. The variables are taken out of `env`, so
 * that no child speaks in the service's name, as containerd would.
 */
export function openSupervisor(env: NodeJS.ProcessEnv): Supervisor {
  const { NOTIFY_SOCKET, WATCHDOG_USEC } = env;
  const notify = NOTIFY_SOCKET === undefined ? async () => {} : notifyBy({ PATH: env.PATH, NOTIFY_SOCKET });
  delete env.NOTIFY_SOCKET;
  delete env.WATCHDOG_USEC;
  delete env.WATCHDOG_PID;
  const deadline = Number(WATCHDOG_USEC) / 1000;
  let alive: NodeJS.Timeout | undefined;
  return {
    ready: async () => {
      await notify("READY=1");
      // A process whose event loop hangs tells nothing, and systemd restarts it.
      if (deadline > 0) alive = setInterval(() => void notify("WATCHDOG=1"), deadline / 3).unref();
    },
    stopping: async () => {
      clearInterval(alive);
      await notify("STOPPING=1");
    },
  };
}
