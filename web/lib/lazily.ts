/** Computes a value when it is first asked for, and keeps it. */
export function lazily<T>(compute: () => T): () => T {
  let known: { readonly value: T } | null = null
  return () => (known ??= { value: compute() }).value
}
