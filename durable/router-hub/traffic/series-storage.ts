/** The part of a hub's storage that its series use, so that they compile without the platform's types. */
export interface SeriesStorage {
  readonly sql: {
    exec<T extends Record<string, ArrayBuffer | string | number | null>>(
      query: string,
      ...values: (number | Uint8Array | null)[]
    ): Iterable<T> & { toArray(): T[] }
  }
  readonly kv: {
    get<T>(key: string): T | undefined
    put(key: string, value: unknown): void
    delete(key: string): boolean
  }
}
