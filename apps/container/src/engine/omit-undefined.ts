type Defined<T> = { [Key in keyof T]: Exclude<T[Key], undefined> } & T;

/** Copies `value` without the fields that are undefined, for shapes in which an absent field is not an undefined one. */
export function omitUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Defined<T>;
}
