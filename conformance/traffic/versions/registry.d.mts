export function startRegistry(
  folder: string,
  options?: { readonly enter?: readonly string[] },
): Promise<{ readonly address: string; readonly close: () => void }>;
