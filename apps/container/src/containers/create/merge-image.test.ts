import { describe, expect, it } from "vitest";
import { someConfig } from "../records/container.testing.ts";
import { commandOf, mergeImage } from "./merge-image.ts";

const IMAGE = {
  Entrypoint: ["/entry"],
  Cmd: ["serve"],
  Env: ["PATH=/bin", "A=image"],
  WorkingDir: "/srv",
  User: "app",
  Labels: { a: "1", b: "1" },
};

describe("mergeImage", () => {
  it.each([
    ["without a command, the image's own", {}, ["/entry", "serve"]],
    ["a command replaces the image's", { Cmd: ["run"] }, ["/entry", "run"]],
    ["an entrypoint drops the image's command", { Entrypoint: ["/mine"] }, ["/mine"]],
    ["an entrypoint with a command", { Entrypoint: ["/mine"], Cmd: ["x"] }, ["/mine", "x"]],
    ["an empty string resets the entrypoint", { Entrypoint: [""], Cmd: ["x"] }, ["x"]],
    ["an empty list is no entrypoint", { Entrypoint: [] }, ["/entry", "serve"]],
  ])("%s", (_, request, command) => {
    expect(commandOf(mergeImage(someConfig(request), IMAGE))).toEqual(command);
  });

  it("merges variables by name, and the request's value wins", () => {
    expect(mergeImage(someConfig({ Env: ["A=mine"] }), IMAGE).Env).toEqual(["A=mine", "PATH=/bin"]);
  });

  it("fills fields that the request leaves empty, and the request's labels win", () => {
    expect(mergeImage(someConfig({ Labels: { b: "2" } }), IMAGE)).toMatchObject({
      WorkingDir: "/srv",
      User: "app",
      Labels: { a: "1", b: "2" },
    });
    expect(mergeImage(someConfig({ WorkingDir: "/y/..//x/", User: "0" }), IMAGE)).toMatchObject({
      WorkingDir: "/x",
      User: "0",
    });
  });

  it("fills missing health check fields from the image", () => {
    const merged = mergeImage(someConfig({ Healthcheck: { Interval: 5, Test: [] } }), {
      Healthcheck: { Test: ["CMD", "true"], Retries: 4 },
    });
    expect(merged.Healthcheck).toEqual({ Test: ["CMD", "true"], Retries: 4, Interval: 5 });
  });
});
