import { expect, test } from "vitest";
import { withProgress } from "./progress.ts";

/** What is said while ten chunks of ten bytes go by. */
async function said(isTerminal: boolean): Promise<{ readonly told: string; readonly passed: number }> {
  let told = "";
  const chunks = Array.from({ length: 40 }, () => new Uint8Array(5));
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const write = (text: string) => {
    told += text;
  };
  const watched = withProgress(body, { size: 200, label: "users.csv" }, { write, isTerminal });
  const passed = (await new Response(watched).arrayBuffer()).byteLength;
  return { told, passed };
}

test("draws one bar over itself on a terminal", async () => {
  const { told, passed } = await said(true);
  expect(passed).toBe(200);
  const drawn = told.split("\r");
  expect(drawn[20]).toBe("users.csv [###############               ]  50%");
  expect(drawn.at(-1)).toBe("users.csv [##############################] 100%\n");
  expect(told.split("\n")).toHaveLength(2);
});

test("writes a few plain lines elsewhere", async () => {
  const { told } = await said(false);
  const lines = told.trimEnd().split("\n");
  expect(lines[0]).toBe("users.csv  10%");
  expect(lines.at(-1)).toBe("users.csv 100%");
  expect(lines).toHaveLength(10);
  expect(told).not.toContain("\r");
});
