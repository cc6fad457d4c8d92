export function loadBusybox(engine: string, tag: string): Promise<void>;
