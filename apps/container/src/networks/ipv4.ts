/** An IPv4 network: its first address as a number, and the length of its prefix. */
export interface Subnet {
  readonly base: number;
  readonly prefixLength: number;
}

/** The 32-bit number of a dotted address; undefined where the text is none. */
export function parseAddress(text: string): number | undefined {
  const octets = text.split(".");
  if (octets.length !== 4 || !octets.every((octet) => /^(0|[1-9]\d{0,2})$/.test(octet) && Number(octet) < 256)) return;
  return octets.reduce((address, octet) => address * 256 + Number(octet), 0);
}

/** The inverse of {@link parseAddress}. */
export function formatAddress(address: number): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join(".");
}

/** Reads `172.29.0.0/16`; bits behind the prefix are dropped, as Docker does. Undefined where the text is none. */
export function parseSubnet(text: string): Subnet | undefined {
  const [address, length, ...rest] = text.split("/");
  const number = parseAddress(address ?? "");
  if (number === undefined || length === undefined || rest.length > 0 || !/^\d{1,2}$/.test(length)) return;
  const prefixLength = Number(length);
  if (prefixLength > 32) return;
  return { base: number - (number % sizeOf({ base: 0, prefixLength })), prefixLength };
}

/** The inverse of {@link parseSubnet}. */
export function formatSubnet({ base, prefixLength }: Subnet): string {
  return `${formatAddress(base)}/${prefixLength}`;
}

/** How many addresses the subnet holds. */
export function sizeOf({ prefixLength }: Subnet): number {
  return 2 ** (32 - prefixLength);
}

/** Whether the address lies in the subnet. */
export function contains(subnet: Subnet, address: number): boolean {
  return address >= subnet.base && address < subnet.base + sizeOf(subnet);
}

/** Whether two subnets share an address. */
export function overlaps(a: Subnet, b: Subnet): boolean {
  return contains(a, b.base) || contains(b, a.base);
}

/**
 * The next free address of `range` after `last`, going round: an address that was given back rests as long as possible,
 * so that what the kernel or a neighbour still remembers of it reaches nobody else.
 *
 * @param last the address given out before; undefined at first.
 * @returns undefined where none is free.
 */
export function nextFree(
  range: Subnet,
  last: number | undefined,
  isFree: (address: number) => boolean,
): number | undefined {
  const size = sizeOf(range);
  const from = last === undefined || !contains(range, last) ? 0 : last - range.base + 1;
  for (let step = 0; step < size; step++) {
    const address = range.base + ((from + step) % size);
    if (isFree(address)) return address;
  }
  return undefined;
}
