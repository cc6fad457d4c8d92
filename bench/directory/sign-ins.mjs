// Signing in against argon2 alone.
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { interleave } from "./rates.mjs";

const argon2 = createRequire(new URL("../../apps/directory/package.json", import.meta.url))("@node-rs/argon2");
const PASS = "correct horse battery";
const IN_FLIGHT = 16;

/** Prints the rate of sign-ins, with enough at a time that the hashing never waits, and of verifications alone. */
export async function reportSignIns({ post, sql, servers }) {
  const hash = await argon2.hash(PASS, { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  // One account each: tries of one account hold each other back.
  await sql`
    insert into directory.users (login, login_key, email, email_key, pass_hash)
    select 'signer' || n, 'signer' || n, 'signer' || n || '@example.test', 'signer' || n || '@example.test', ${hash}
    from generate_series(0, ${IN_FLIGHT - 1}::int) n`;
  const { http, alone } = await interleave({
    http: {
      work: (worker) => post("/api/login", { login: `signer${worker}`, pass: PASS }),
      inFlight: IN_FLIGHT,
      servers,
    },
    alone: { work: () => argon2.verify(hash, PASS), inFlight: availableParallelism() },
  });
  const beyond = (http.server + http.client - alone.client) / 1_000;
  console.log(
    `\nsign-ins: http ${http.rate.toFixed(1)}/s, argon2 alone ${alone.rate.toFixed(1)}/s, alone/http ${(alone.rate / http.rate).toFixed(2)}; ` +
      `beyond the hash one costs ${beyond.toFixed(1)} ms of processor time, client and database included`,
  );
}
