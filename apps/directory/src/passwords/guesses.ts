import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary } from "@zxcvbn-ts/language-common";

/** The estimate's cost grows with the length, and a password with a strong start is strong. */
const ESTIMATED_LENGTH = 64;
const ESTIMATOR = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: ESTIMATED_LENGTH });

/** The guesses that a password withstands, as a power of ten, by somebody who knows `names`. */
export function guessesLog10(pass: string, names: string[]): number {
  return ESTIMATOR.check(pass.slice(0, ESTIMATED_LENGTH), names).guessesLog10;
}
