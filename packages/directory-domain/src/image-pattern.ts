/** More stars than anyone means by a pattern, and few enough that matching stays cheap. */
export const MAX_STARS = 8;
export const MAX_PATTERN_LENGTH = 512;

const HUB = "docker.io/";
const HUB_LIBRARY = "docker.io/library/";

/**
 * The full form of an image name, as Docker reads it: `nginx` is `docker.io/library/nginx:latest`. The caller vouches that the name is
 * well formed. An image id (`sha256:…`) stays as it is.
 */
export function fullImageName(name: string): string {
  if (/^sha256:/.test(name)) return name;
  const full = withRegistry(name);
  return isRepository(full) ? `${full}:latest` : full;
}

/**
 * The full form of a pattern: a short name means what it means to Docker, so that `nginx*` is `docker.io/library/nginx*` and `acme/*` is
 * `docker.io/acme/*`. A pattern that starts with a star, or has one in its registry, already speaks of full names.
 */
export function fullImagePattern(pattern: string): string {
  if (pattern.startsWith("*") || /^sha256:/.test(pattern)) return pattern;
  const [first = "", ...rest] = pattern.split("/");
  if (rest.length > 0 && first.includes("*")) return pattern;
  // `ghcr.io*` is the beginning of a registry's name.
  if (rest.length === 0 && /^[^:]*\.[^:]*\*/.test(pattern)) return pattern;
  return withRegistry(pattern);
}

function withRegistry(name: string): string {
  const slash = name.indexOf("/");
  if (slash === -1) return HUB_LIBRARY + name;
  const first = name.slice(0, slash);
  if (!/[.:]/.test(first) && first !== "localhost") return HUB + name;
  if (first !== "docker.io" && first !== "index.docker.io") return name;
  const repository = name.slice(slash + 1);
  // `docker.io/nginx*` may go on as `docker.io/nginxinc/…`.
  const isOfficial = !repository.includes("/") && !/^[^:@]*\*/.test(repository);
  return (isOfficial ? HUB_LIBRARY : HUB) + repository;
}

/**
 * Whether a pattern matches an image name, both in full form. A pattern without tag or digest (`docker.io/library/nginx`) stands for all
 * tags and digests of the repository.
 */
export function matchesImage(pattern: string, name: string): boolean {
  return matchesPattern(pattern, name) || (isRepository(pattern) && matchesPattern(pattern, repositoryOf(name)));
}

/** Whether some image name matches both patterns. */
export function imagePatternsOverlap(a: string, b: string): boolean {
  return spellings(a).some((one) => spellings(b).some((other) => patternsOverlap(one, other)));
}

function spellings(pattern: string): readonly string[] {
  return isRepository(pattern) ? [pattern, `${pattern}:*`, `${pattern}@*`] : [pattern];
}

/** Whether the last part has neither tag nor digest, nor a star that could match one. */
function isRepository(pattern: string): boolean {
  return !/[:@][^/]*$|\*$/.test(pattern);
}

function repositoryOf(name: string): string {
  return name.replace(/@.*$/, "").replace(/:[^/:]*$/, "");
}

/**
 * Whether `text` matches `pattern`, where `*` stands for any run of characters, `/` and `:` among them.
 * Greedy with one point of return, so that no pattern takes more than pattern × text steps.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (t < text.length) {
    if (p < pattern.length && pattern[p] === "*") {
      star = p++;
      resume = t;
    } else if (p < pattern.length && pattern[p] === text[t]) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++resume;
    } else return false;
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}

/** Whether some text matches both patterns; row by row over all pairs of positions. */
export function patternsOverlap(a: string, b: string): boolean {
  // Whether the first i characters of `a` and the first j of `b` can match one text, for the present i and each j.
  let reached = [true];
  for (let j = 1; j <= b.length; j++) reached[j] = reached[j - 1] === true && b[j - 1] === "*";
  for (let i = 1; i <= a.length; i++) {
    const isStar = a[i - 1] === "*";
    const next = [isStar && reached[0] === true];
    for (let j = 1; j <= b.length; j++) {
      const grows = isStar || b[j - 1] === "*";
      next[j] = grows ? reached[j] === true || next[j - 1] === true : a[i - 1] === b[j - 1] && reached[j - 1] === true;
    }
    reached = next;
  }
  return reached[b.length] === true;
}
