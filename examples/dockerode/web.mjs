// Runs a command, prints its output, and tells the events that this made. DOCKER_HOST says where Berth is.
import { once } from "node:events";
import Docker from "dockerode";

const docker = new Docker();
const began = Math.floor(Date.now() / 1000);

const container = await docker.createContainer({
  Image: "berth/demo",
  Cmd: ["sh", "-c", "echo hello from dockerode; exit 3"],
  Tty: true,
});
const output = await container.attach({ stream: true, stdout: true });
output.pipe(process.stdout, { end: false });
const ended = once(output, "end");
await container.start();
const { StatusCode } = await container.wait();
await ended;
console.log(`exit code ${StatusCode}`);
await container.remove();

const events = await docker.getEvents({
  since: began,
  until: Math.floor(Date.now() / 1000) + 1,
  filters: { container: [container.id] },
});
const lines = (await events.toArray()).join("").trim().split("\n");
console.log(lines.map((line) => JSON.parse(line).Action).join(" "));
