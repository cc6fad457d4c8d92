// What an engine is asked, one line a request: `[OPTION...] METHOD PATH [BODY]`. Options:
//
//     raw           the path stands as it is: no version is put before it
//     type=TYPE     the Content-Type, `application/json` unless told; `type=` sends none
//     tar=NAME      the body is that archive: `file` holds one, `image` a busybox `r/loaded:1`, `garbage` is none
//     upgrade       the connection is asked for
//     cut=head      the answer is left after its head; cut=line: after its first line
//
// A query's `filters` are encoded on their way. `$BEGAN` is the moment at which the run began, `$NOW` this one, `$EXEC` the newest exec, `$REGISTRY` a registry's address.

/** The lines of a text, apart from blank ones. */
export function lines(text) {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

export function json(value) {
  return JSON.stringify(value);
}

/** A container in each of them is there from the start: `r-created`, …. */
export const STATES = ["created", "running", "paused", "exited", "tty"];
