import { eq } from 'drizzle-orm'
import { runInDurableObject } from 'cloudflare:test'
import { expect, describe, it } from 'vitest'
import type { DirectoryHub } from '#durable/directory-hub/directory-hub.ts'
import { ldapHubs } from '#db/schema/ldap.ts'
import { type TestDirectory, createTestDirectory, createImported, saveTestConfig } from '#tests/support/directory.ts'
import { db } from '#tests/support/test-worker.ts'

/** Numbers of stored users of a listing and of runs to undo, and the time of the hub's alarm. */
const stored = ({ stub }: TestDirectory) =>
  runInDurableObject(stub, async (_, { storage }) => ({
    parts: storage.sql.exec<{ n: number }>('SELECT count(*) AS n FROM listing').one().n,
    hasState: storage.kv.get('state') !== undefined,
    alarm: await storage.getAlarm(),
  }))
const EMPTY = { parts: 0, hasState: false, alarm: null }

describe('hubs.md, Names and places · a DirectoryHub and its row', () => {
  it('answers another account nothing of the earlier one when its row is given to that', async () => {
    const [earlier, next] = [await createImported(3), await createTestDirectory([], { isSaved: false })]
    expect(await stored(earlier)).toMatchObject({ parts: 1, hasState: true, alarm: expect.any(Number) })
    await db.delete(ldapHubs).where(eq(ldapHubs.accountId, earlier.accountId))
    await db.update(ldapHubs).set({ hub: earlier.hub }).where(eq(ldapHubs.accountId, next.accountId))
    expect(await earlier.stub.state()).toMatchObject({ count: 0, run: null, fault: '' })
    expect(await stored(earlier)).toEqual(EMPTY)
    await saveTestConfig(next.accountId, { syncMode: 1, networkId: null })
    expect(await earlier.stub.users({ search: '', exist: '', page: 1, limit: 10 })).toMatchObject({
      rows: [],
      hash: '',
    })
  })

  it.each([
    ['an alarm', async (test: TestDirectory) => void (await test.run())],
    ['a refresh', ({ stub }: TestDirectory) => stub.refresh()],
    [
      'a call',
      ({ stub }: TestDirectory) =>
        runInDurableObject(stub, (hub: DirectoryHub) =>
          expect(hub.state()).rejects.toThrow('the row of this hub is missing'),
        ),
    ],
  ])('keeps all it has stored when its row is missing, at %s, and goes on when that is back', async (_, wake) => {
    const test = await createImported(3)
    const before = await stored(test)
    const [row] = await db.select().from(ldapHubs).where(eq(ldapHubs.accountId, test.accountId))
    await db.delete(ldapHubs).where(eq(ldapHubs.accountId, test.accountId))
    await wake(test)
    expect(await stored(test)).toMatchObject({ parts: before.parts, hasState: true })
    await db.insert(ldapHubs).values(row!)
    await test.stub.refresh()
    expect(await stored(test)).toMatchObject({ ...before, alarm: expect.any(Number) })
  })
})
