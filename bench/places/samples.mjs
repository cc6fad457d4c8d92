/** The value that this part of the samples does not exceed. */
export function at(samples, part) {
  return [...samples].sort((a, b) => a - b)[Math.min(samples.length - 1, Math.floor(samples.length * part))];
}

/** Milliseconds until `work` has settled, and its outcome. */
export async function timed(work) {
  const begin = performance.now();
  const value = await work();
  return { ms: performance.now() - begin, value };
}

const PASS = "a long password nobody guesses";

/** Makes a user of the directory. @returns its token, which opens engines too. */
export async function addUser({ made }, login) {
  const user = await made("/api/users", { login, email: `${login}@example.test`, pass: PASS });
  for (const resource of ["containers", "published-ports"])
    await made(`/api/users/${user.id}/constraints`, { kind: "quota", effect: "grant", resource, max: 1_000 });
  return (await made("/api/tokens", { label: "bench", userId: user.id, scopes: ["write", "engine"] })).token;
}
