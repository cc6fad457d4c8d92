// node bench.mjs [HOSTS] [ROUNDS]: places of a fleet of simulated hosts (1,000), and starts inside a place against outside on a real one.
import { loadavg } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../directory/postgres.mjs";
import { startDirectory } from "../directory/service.mjs";
import { openBench } from "../open-bench.mjs";
import { measureFleet } from "./fleet.mjs";
import { measureStarts, startFleetHost } from "./starts.mjs";

const [hosts, rounds] = [Number(process.argv[2] ?? 1_000), Number(process.argv[3] ?? 20)];
const { folder, atEnd, stop } = openBench();
const [postgresPort, port] = [7_791, 7_792];

try {
  const postgres = startPostgres({ folder: join(folder, "postgres"), port: postgresPort });
  atEnd(postgres.stop);
  const state = join(folder, "directory");
  const directory = await startDirectory({ url: postgres.url, folder: state, port, connections: 8 });
  atEnd(directory.stop);
  const fleet = { url: `http://127.0.0.1:${port}`, made: madeBy(directory), servers: [postgres.pid, directory.pid] };
  console.log(`load average ${loadavg()[0].toFixed(2)}`);
  await measureFleet(fleet, hosts);
  const settings = { BERTH_DIRECTORY_URL: fleet.url, BERTH_DIRECTORY_TOKEN_FILE: join(state, "directory-token") };
  const berth = await startFleetHost(folder, settings);
  atEnd(berth.close);
  await measureStarts(fleet, berth, rounds);
} finally {
  await stop();
}

function madeBy(directory) {
  return async (path, body) => JSON.parse((await directory.post(path, body)).text);
}
