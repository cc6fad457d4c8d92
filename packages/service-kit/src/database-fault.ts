/** What a database said of a statement that it refused. */
export interface DatabaseFault {
  /** SQLSTATE: https://www.postgresql.org/docs/15/errcodes-appendix.html. */
  readonly code: string;
  readonly constraint: string | undefined;
}

/** Why no database work is possible now; the same request may succeed later. */
export interface DatabaseOutage {
  readonly kind: "unavailable" | "full";
  /** For the client: names no host, path or statement. */
  readonly message: string;
}

const UNAVAILABLE: DatabaseOutage = { kind: "unavailable", message: "database unavailable: try again in a moment" };
const FULL: DatabaseOutage = { kind: "full", message: "database cannot write: no space left on its disk" };

/** The SQLSTATE and constraint of a refused statement, however deep Drizzle wrapped it; undefined for anything else. */
export function databaseFault(thrown: unknown): DatabaseFault | undefined {
  for (const cause of causesOf(thrown)) {
    const { code, constraint_name: constraint, severity } = cause as Error & Record<string, unknown>;
    // Of the errors with a code of five letters only a server's has a severity: EPIPE is none.
    if (typeof code === "string" && typeof severity === "string")
      return { code, constraint: typeof constraint === "string" ? constraint : undefined };
  }
  return undefined;
}

/** The outage that a thrown error shows; undefined for anything else, such as a refused statement or another socket's fault. */
export function databaseOutage(thrown: unknown): DatabaseOutage | undefined {
  const fault = databaseFault(thrown);
  if (fault !== undefined) {
    if (fault.code === "53100") return FULL;
    // Connection exceptions, too many connections, shutdowns and the start of the server.
    return /^(08...|53300|57P0[1-3])$/.test(fault.code) ? UNAVAILABLE : undefined;
  }
  return causesOf(thrown).some(isConnectionFault) ? UNAVAILABLE : undefined;
}

const CONNECTION_CODES = new Set(["CONNECTION_CLOSED", "CONNECTION_ENDED", "CONNECTION_DESTROYED", "CONNECT_TIMEOUT"]);

/** postgres.js' own errors, and those of its sockets, which it marks with the query that they failed. */
function isConnectionFault(cause: Error): boolean {
  const { code } = cause as { readonly code?: unknown };
  if (typeof code !== "string") return false;
  return CONNECTION_CODES.has(code) || ("syscall" in cause && Object.hasOwn(cause, "parameters"));
}

function causesOf(thrown: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let cause = thrown; cause instanceof Error && !causes.includes(cause); cause = cause.cause) causes.push(cause);
  return causes;
}
