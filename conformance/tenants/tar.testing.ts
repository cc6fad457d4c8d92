/** A tar of one entry (POSIX ustar). */
export function tarOf(entry: {
  readonly name: string;
  readonly type: string;
  readonly link?: string;
  /** Less than a block of 512 bytes. */
  readonly content?: string;
  readonly major?: number;
  readonly minor?: number;
}): Buffer {
  const header = Buffer.alloc(512);
  const content = Buffer.from(entry.content ?? "");
  const octal = (value: number, at: number, digits: number) =>
    header.write(value.toString(8).padStart(digits, "0"), at);
  header.write(entry.name, 0);
  octal(0o644, 100, 7);
  for (const at of [108, 116]) octal(0, at, 7);
  octal(content.length, 124, 11);
  octal(0, 136, 11);
  header.fill(" ", 148, 156);
  header.write(entry.type, 156);
  header.write(entry.link ?? "", 157);
  header.write("ustar\u000000", 257, "latin1");
  octal(entry.major ?? 0, 329, 7);
  octal(entry.minor ?? 0, 337, 7);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  const block = Buffer.alloc(content.length > 0 ? 512 : 0);
  content.copy(block);
  return Buffer.concat([header, block, Buffer.alloc(1_024)]);
}
