import { EngineError } from "../../engine/errors.ts";

const FORM = /^[a-zA-Z0-9][a-zA-Z0-9_.-]+$/;

/** Validates a container name and strips its leading slash. Throws `invalid` with Docker's message. */
export function containerName(name: string): string {
  const bare = name.startsWith("/") ? name.slice(1) : name;
  if (!FORM.test(bare))
    throw new EngineError("invalid", `Invalid container name (${name}), only [a-zA-Z0-9][a-zA-Z0-9_.-] are allowed`);
  return bare;
}

const moods =
  "able,bold,brave,brisk,calm,clear,eager,fair,fond,glad,keen,kind,light,lucid,merry,neat,noble,proud,quick,quiet,ready,sharp,sound,still,sunny,swift,tidy,true,warm,wise".split(
    ",",
  );
const vessels =
  "barge,bark,brig,caique,canoe,caravel,clipper,cog,coracle,cutter,dhow,dinghy,dory,felucca,ferry,galleon,galley,gondola,junk,kayak,ketch,lugger,packet,pinnace,pram,punt,sampan,schooner,skiff,sloop,tender,trawler,tug,xebec,yacht,yawl".split(
    ",",
  );

/** Generates a name for an unnamed container; `random` returns a whole number below its argument. */
export function inventName(random: (below: number) => number, isTaken: (name: string) => boolean): string {
  for (let attempt = 0; ; attempt++) {
    const name = `${moods[random(moods.length)]}_${vessels[random(vessels.length)]}${attempt === 0 ? "" : attempt + random(attempt)}`;
    if (!isTaken(name)) return name;
  }
}
