import { expect, it } from "vitest";
import { Gate } from "./gate.ts";

it("answers 503 with what the start waits for, then lets requests through to the app", async () => {
  const gate = new Gate();
  const ask = async () => {
    const response = await gate.fetch(new Request("http://localhost/_ping"));
    return [response.status, await response.json()];
  };
  gate.waits("containerd (process 7) does not answer");
  expect(await ask()).toEqual([
    503,
    {
      message: "the container service is starting: containerd (process 7) does not answer; try again in a moment",
    },
  ]);
  gate.open({ fetch: () => Response.json("the app") });
  expect(await ask()).toEqual([200, "the app"]);
});
