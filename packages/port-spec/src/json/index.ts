export { type ComposeLongForm, type ComposePort, formatComposePort, parseComposePort } from "./compose-port.ts";
export { parseCreatePorts, parseStartPorts } from "./parse-requests.ts";
