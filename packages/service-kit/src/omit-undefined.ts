type Defined<T> = { [Key in keyof T]: Exclude<T[Key], undefined> } & T;

/** Copies `value` without its undefined fields, for shapes that distinguish absent from undefined. */
export function omitUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Defined<T>;
}
