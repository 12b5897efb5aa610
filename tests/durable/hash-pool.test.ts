import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { createPasswordHasher } from '#durable/hash-pool/client.ts'
import { HASH_POOL } from '#contract/kernel/limits.ts'
import type { Refusal } from '#contract/kernel/errors.ts'
import type { HashClient, HashPoolRpc } from '#contract/kernel/passwords.ts'
import { isPassword } from '#security/password.ts'
import { unique } from '#tests/support/fixtures.ts'
import { holdTimers } from './clock.ts'
import { until } from './support.ts'

const person = (over: Partial<HashClient> = {}): HashClient => {
  const name = unique()
  return { account: name, source: name, isAnonymous: false, ...over }
}
const pool = () => env.HASH_POOL.getByName(unique('pool')) as unknown as HashPoolRpc

describe('HashPool', () => {
  it('hashes, compares, and hashes after a comparison', async () => {
    const passwords = createPasswordHasher(env)
    const { hash } = await passwords.run(person(), { hash: { password: 'Weilai26' } })
    const check = { password: 'Weilai26', stored: hash }
    expect(await passwords.run(person(), { check })).toEqual({ isRight: true, hash: null })
    expect(await passwords.run(person(), { check: { ...check, stored: null } })).toEqual({ isRight: false, hash: null })
    const changed = await passwords.run(person(), { check, hash: { password: 'Weilai27' } })
    expect(changed.isRight && (await isPassword('Weilai27', changed.hash))).toBe(true)
    const wrong = { password: 'Weilai28', stored: hash }
    expect(await passwords.run(person(), { check: wrong, hash: wrong })).toEqual({ isRight: false, hash: null })
    expect(await passwords.run(person(), { check, hash: { password: 'x', ifRight: false } })).toMatchObject({
      hash: null,
    })
  })

  it('leaves its thread to others behind each hash, for the time of a pause', async () => {
    const one = pool()
    const timers = holdTimers(HASH_POOL.pauseMs, HASH_POOL.pauseMs)
    let done = 0
    for (let n = 0; n < 4; n++) void one.run(person(), { hash: { password: 'x' } }).then(() => done++)
    for (let n = 1; n <= 4; n++) {
      await until(() => (done === n && timers.waiting() === 1) || undefined)
      timers.release()
    }
    await expect.poll(() => done).toBe(4)
  })

  it('refuses sign-ins beyond five seconds of queue with the seconds to wait, and no account for that', async () => {
    const one = pool()
    const timers = holdTimers(HASH_POOL.pauseMs) // no hash ends before all have come
    const results: Awaited<ReturnType<HashPoolRpc['run']>>[] = []
    const refused = () => results.flatMap((result) => ('retryAfter' in result ? [result.retryAfter] : []))
    const signIns = Array.from({ length: 64 }, async () =>
      results.push(await one.run(person({ isAnonymous: true }), { check: NOBODY })),
    )
    await until(() => refused()[0])
    let own: unknown
    void one.run(person(), { check: NOBODY }).then((result) => (own = result))
    await until(() => {
      timers.release()
      return (results.length === signIns.length && own !== undefined) || undefined
    })
    expect(own).toEqual({ isRight: false, hash: null })
    expect(Math.min(...refused())).toBeGreaterThanOrEqual(1)
  })

  it('is asked for an account by one object, which answers with the catalogue', async () => {
    const passwords = createPasswordHasher({ ...env, HASH_POOL_SIZE: '8' })
    const client = person()
    const asked = Array.from({ length: 16 }, () => passwords.run(client, { check: NOBODY }))
    const results = await Promise.allSettled(asked)
    const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
    expect(refusals.length).toBeGreaterThanOrEqual(1)
    for (const refusal of refusals)
      expect((refusal as Refusal).violation).toMatchObject({
        key: 'HASHING_BUSY',
        params: { retry_after: expect.any(Number) },
      })
  })
})

const NOBODY = { password: 'Weilai26', stored: null }
