/** The words after each line's `keyword`, in order (resolv.conf(5)). */
export function resolvConfWords(text: string, keyword: string): readonly string[] {
  return text.split("\n").flatMap((line) => {
    const [first, ...rest] = line.trim().split(/\s+/);
    return first === keyword ? rest : [];
  });
}
