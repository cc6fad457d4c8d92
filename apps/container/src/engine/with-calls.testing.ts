/** The same object, with some of its calls replaced. */
export function withCalls<T extends object>(real: T, calls: Partial<T>): T {
  return new Proxy(real, {
    get: (target, name) => {
      const value: unknown = Reflect.get(name in calls ? calls : target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
