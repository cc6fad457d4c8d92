export function compileFixture(name: string): Buffer;
export function loadReaper(engine: string, image: string): Promise<void>;
