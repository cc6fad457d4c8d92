import { describe } from "vitest";
import { runtimeContract } from "../contract.testing.ts";
import { busyboxLayers } from "./busybox.testing.ts";
import { startTestContainerd } from "./containerd.testing.ts";
import { openContainerdRuntime } from "./runtime.ts";

describe("containerd", () =>
  runtimeContract(async () => {
    const test = await startTestContainerd();
    return {
      runtime: await openContainerdRuntime(test),
      layers: await busyboxLayers(test.containerd),
      reopen: () => openContainerdRuntime(test),
      dispose: test.dispose,
    };
  }));
