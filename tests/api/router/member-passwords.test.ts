import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { Refusal } from '#contract/kernel/errors.ts'
import { violation } from '#contract/kernel/result.ts'
import { SEALED_PASSWORDS } from '#contract/kernel/limits.ts'
import type { Passwords } from '#contract/kernel/passwords.ts'
import { routers } from '#db/schema/routers.ts'
import { isMemberPassword } from '#features/client/sign-in.ts'
import { hashMemberPasswords } from '#jobs/member-passwords.ts'
import { memberPasswordPlace, seal } from '#security/sealed.ts'
import { directPasswords } from '#tests/support/direct-passwords.ts'
import { createMainAccount, createSoftwareRouter } from '#tests/support/fixtures.ts'
import { db } from '#tests/support/test-worker.ts'

const sealKeys = env.SEAL_KEYS
const client = { account: 'a', source: 'a', isAnonymous: true }

/** A member whose password waits for its hash. */
async function createWaiting(password: string): Promise<number> {
  const { accountId } = await createMainAccount()
  const { id, hub } = await createSoftwareRouter(accountId)
  const passwordSealed = await seal(sealKeys, memberPasswordPlace(accountId, hub), password)
  await db.update(routers).set({ password: '', passwordSealed }).where(eq(routers.id, id))
  return id
}
const memberOf = async (id: number) => (await db.select().from(routers).where(eq(routers.id, id)))[0]!
const hash = (passwords: Passwords) => hashMemberPasswords({ db, passwords, sealKeys, runId: 'run', gapMs: 0 })

describe('design 6 · passwords of member files', () => {
  it('a sign-in compares with the sealed text, and then with the hash', async () => {
    const { passwords, hashes } = directPasswords()
    const id = await createWaiting('Weilai26')
    const is = async (typed: string) => isMemberPassword({ passwords, client, sealKeys }, await memberOf(id), typed)
    expect([await is('Weilai26'), await is('weilai26'), await is('')]).toEqual([true, false, false])
    await hash(passwords)
    expect(await memberOf(id)).toMatchObject({ passwordSealed: null, password: expect.stringMatching(/^scrypt/) })
    expect([await is('Weilai26'), await is('weilai26')]).toEqual([true, false])
    expect(await isMemberPassword({ passwords, client, sealKeys }, null, 'Weilai26')).toBe(false)
    const compared = hashes.filter(({ task }) => task.check)
    expect(compared).toHaveLength(6) // each costs a place in the queue
  })

  it('an empty hash fits no password', async () => {
    const { accountId } = await createMainAccount()
    const { id } = await createSoftwareRouter(accountId)
    await db.update(routers).set({ password: '' }).where(eq(routers.id, id))
    const { passwords } = directPasswords()
    expect(await isMemberPassword({ passwords, client, sealKeys }, await memberOf(id), '')).toBe(false)
  })

  it('stands behind all who wait, and takes no second of the account', async () => {
    const { passwords, hashes } = directPasswords()
    const id = await createWaiting('Weilai26')
    await hash(passwords)
    expect(hashes.find(({ client: { account } }) => account === `member:${id}`)?.client).toMatchObject({
      isBackground: true,
      isAnonymous: false,
    })
  })

  it('a password that is changed meanwhile stays', async () => {
    const { passwords } = directPasswords()
    const id = await createWaiting('Weilai26')
    const changing: Passwords = {
      run: async (who, task) => {
        await db.update(routers).set({ password: 'changed', passwordSealed: null }).where(eq(routers.id, id))
        return passwords.run(who, task)
      },
    }
    await hash(changing)
    expect(await memberOf(id)).toMatchObject({ password: 'changed', passwordSealed: null })
  })

  it('a full pool stops the run, which keeps what it has hashed', async () => {
    await hash(directPasswords().passwords) // of earlier tests
    const [first, second] = [await createWaiting('Weilai26'), await createWaiting('Weilai27')]
    const { passwords } = directPasswords()
    let runs = 0
    await hash({
      run: (who, task) => {
        if (++runs === 2) throw new Refusal(violation('HASHING_BUSY', { retry_after: 5 }))
        return passwords.run(who, task)
      },
    })
    expect([(await memberOf(first)).passwordSealed, (await memberOf(second)).passwordSealed === null]).toEqual([
      null,
      false,
    ])
    await hash(passwords)
    expect((await memberOf(second)).passwordSealed).toBeNull()
  })

  it('one that cannot be opened any more does not hold up the others', async () => {
    const [broken, other] = [await createWaiting('Weilai26'), await createWaiting('Weilai27')]
    await db.update(routers).set({ passwordSealed: 'v1.gone.AAAA' }).where(eq(routers.id, broken))
    await hash(directPasswords().passwords)
    expect((await memberOf(other)).passwordSealed).toBeNull()
    await db.update(routers).set({ passwordSealed: null }).where(eq(routers.id, broken))
  })

  it('a thousand take less than 20 minutes', () => {
    expect(1_000 / SEALED_PASSWORDS.perRun).toBeLessThan(20)
  })
})
