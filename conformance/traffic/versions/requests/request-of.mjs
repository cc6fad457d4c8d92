/**
 * One line of the lists as a request; see lines.mjs.
 *
 * @param {string} line
 * @param version what stands before a path that is not `raw`.
 * @param fill replaces the variables of a text.
 * @param archives the archives by their names.
 * @returns `type` is the Content-Type, empty for none; `upgrade` and `cut` are the options of those names.
 */
export function requestOf(line, { version, fill, archives }) {
  const words = line.split(" ");
  const first = words.findIndex((word) => /^[A-Z]+$/.test(word));
  const options = words.slice(0, first);
  const [method, path, ...rest] = words.slice(first);
  const option = (name) => options.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
  const tar = option("tar");
  const body = tar === undefined ? (rest.length === 0 ? undefined : Buffer.from(fill(rest.join(" ")))) : archives[tar];
  return {
    method,
    path: fill(options.includes("raw") ? path : `/v${version}${path}`).replace(
      /(?<=filters=)[^&]*/,
      encodeURIComponent,
    ),
    type: option("type") ?? (tar !== undefined ? "application/x-tar" : body === undefined ? "" : "application/json"),
    body,
    upgrade: options.includes("upgrade"),
    cut: option("cut"),
  };
}
