import { env } from 'cloudflare:test'
import { vi } from 'vitest'

/** Spy of each batch that reaches D1, those of the sessions of callers too. */
export function spyOnBatch() {
  const spy = vi.spyOn(env.DB!, 'batch')
  const session = {
    prepare: (sql: string) => env.DB!.prepare(sql),
    batch: (statements: D1PreparedStatement[]) => env.DB!.batch(statements),
    getBookmark: () => null,
  }
  vi.spyOn(env.DB!, 'withSession').mockReturnValue(session as D1DatabaseSession)
  return spy
}
