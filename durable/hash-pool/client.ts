import { refuse } from '#contract/kernel/errors.ts'
import type { HashPoolRpc, Passwords } from '#contract/kernel/passwords.ts'
import { stubIn, withRetry } from '#durable/hubs.ts'

/** Password hashing by the pool of Durable Objects: all requests of an account go to the same object. */
export function createPasswordHasher(env: Env): Passwords {
  const size = Math.max(1, Math.floor(Number(env.HASH_POOL_SIZE ?? 1)) || 1)
  return {
    run: async (client, task) => {
      const name = `hash-${chooseSlot(client.account, size)}`
      const createStub = () => stubIn(env, env.HASH_POOL, name, env.HUB_PLACE ?? '') as unknown as HashPoolRpc
      const result = await withRetry(() => createStub().run(client, task))
      return 'retryAfter' in result ? refuse('HASHING_BUSY', { retry_after: result.retryAfter }) : result
    },
  }
}

/** FNV-1a: spreads evenly; no protection against chosen names is needed. */
function chooseSlot(account: string, size: number): number {
  let hash = 0x811c9dc5
  for (const char of account) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193)
  return (hash >>> 0) % size
}
