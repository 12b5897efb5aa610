type Method = (...args: unknown[]) => unknown

/** Proxy with some methods replaced; the others are bound to the original, which native objects require. */
export function withMethods<T extends object>(target: T, methods: Readonly<Record<string, unknown>>): T {
  return new Proxy(target, {
    get(_, key) {
      if (typeof key === 'string' && key in methods) return methods[key]
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? (value as Method).bind(target) : value
    },
  })
}
