import { request } from "node:http";
import { text } from "node:stream/consumers";
import { Refused } from "./api.ts";

/** Asks the directory on this host for an administrator's token, over the socket in its state folder that only its own user may open. */
export async function recover(
  socketPath: string,
  login: string,
): Promise<{ readonly login: string; readonly token: string }> {
  const { status, body } = await new Promise<{ status: number; body: string }>((settle, reject) => {
    const asked = request({ socketPath, path: "/recover-admin", method: "POST" }, async (answer) => {
      settle({ status: answer.statusCode ?? 0, body: await text(answer) });
    });
    asked.on("error", reject);
    asked.end(JSON.stringify({ login }));
  }).catch((fault: Error) => {
    throw new Refused(`${socketPath}: ${fault.message}. Run this on the directory's host, as the user that runs it.`);
  });
  const answer = JSON.parse(body) as { login: string; token: string; detail?: string };
  if (status !== 200) throw new Refused(answer.detail ?? `status ${status}`);
  return answer;
}
