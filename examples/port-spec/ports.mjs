// The build of the package, so that a browser needs no bundler. With one, import "@berth/port-spec".
import { formatPortSpec, parsePortSpec, toEngine } from "../../packages/port-spec/dist/index.js";

/**
 * Explains what somebody typed behind `docker run -p`.
 * @param {string} text
 * @returns {string} the parts of the create request, or what is wrong and where
 */
export function explain(text) {
  const spec = parsePortSpec(text);
  if (!spec.ok)
    return `${text}\n${" ".repeat(spec.error.position)}^ ${spec.error.message}; expected ${spec.error.expected}`;
  return `${formatPortSpec(spec.value)}\n${JSON.stringify(toEngine([spec.value]), null, 2)}`;
}
