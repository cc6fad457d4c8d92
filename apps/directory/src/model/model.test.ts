import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { describeDirectory } from "../directory.testing.ts";
import { runModel } from "./model.testing.ts";
import type { Asked, Send } from "./world.testing.ts";

// `npm run model` sets these: more operations, and a directory that runs elsewhere.
const { MODEL_OPERATIONS = "400", MODEL_SEED = "1", MODEL_DIRECTORY, MODEL_TOKEN_FILE = "" } = process.env;

/** A directory that is reached over HTTP. */
function over(url: string): Send {
  const admin = readFileSync(MODEL_TOKEN_FILE, "utf8").trim();
  return async (method, path, { json, token = admin, headers = {} }: Asked = {}) => {
    const type = json === undefined ? {} : { "content-type": "application/json" };
    const response = await fetch(new URL(path, url), {
      method,
      // A kept connection may be closed just when the next request takes it, and nobody can tell what became of that one.
      headers: { authorization: `Bearer ${token}`, connection: "close", ...type, ...headers },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const text = await response.text();
    const isJson = /[/+]json/.test(response.headers.get("content-type") ?? "");
    return { status: response.status, text, json: isJson && text !== "" ? JSON.parse(text) : undefined };
  };
}

describeDirectory("the model", (directory) => {
  test(`agrees with the directory over ${MODEL_OPERATIONS} operations of seed ${MODEL_SEED}`, {
    timeout: 600_000,
  }, async () => {
    const send = MODEL_DIRECTORY === undefined ? directory.send : over(MODEL_DIRECTORY);
    const options = { operations: Number(MODEL_OPERATIONS), seed: Number(MODEL_SEED), clients: 8 };
    const { differences, ran } = await runModel(send, options);
    expect(differences.slice(0, 5)).toEqual([]);
    console.log(`${options.operations} operations, ${differences.length} differences: ${JSON.stringify(ran)}`);
  });
});
