import { and, eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import { ldapConfigs, ldapRuns } from '#db/schema/ldap.ts'
import { memberSettings, networkVersions } from '#db/schema/networks.ts'
import { routers } from '#db/schema/routers.ts'
import { type TestDirectory, createTestDirectory, entry, runNow } from '#tests/support/directory.ts'
import { insertNetwork } from '#tests/support/rows.ts'
import { db } from '#tests/support/test-worker.ts'

/** Removes the members one by one, and undoes the removals, the last one first. */
async function swapIds(test: TestDirectory, names: readonly string[]) {
  const ids: string[] = []
  for (const name of names) {
    test.directory.users = test.directory.users.filter(({ username }) => username !== name)
    await runNow(test)
    const { hash } = await test.stub.users({ search: '', exist: '', page: 1, limit: 10 })
    await test.stub.apply({ kind: 'remove', hash, uuids: [`id-${name}`] }, test.actor)
    const removals = await db
      .select({ id: ldapRuns.id })
      .from(ldapRuns)
      .where(and(eq(ldapRuns.accountId, test.accountId), eq(ldapRuns.kind, 'remove')))
    ids.push(removals.find(({ id }) => !ids.includes(id))!.id)
  }
  for (const id of ids.toReversed()) expect(await test.stub.undo(id, test.actor)).toMatchObject({ refused: null })
}

it('directory 4, network 6 · a version gives a member that an undo brought back its own setting, and another none', async () => {
  const test = await createTestDirectory([entry('a'), entry('b')], { syncMode: 1 })
  const { main, accountId, sign } = test
  const network = await insertNetwork({ accountId })
  await db.update(ldapConfigs).set({ networkId: network.id }).where(eq(ldapConfigs.accountId, accountId))
  await runNow(test)
  const { hash } = await test.stub.users({ search: '', exist: '', page: 1, limit: 10 })
  await test.stub.apply({ kind: 'import', hash, uuids: null }, test.actor)
  const target = { network_number: network.number }
  for (const mode of [3, 2] as const)
    expect(await main.call(networkApi.softwareMode, { ...target, router_name: `a@${sign}`, mode })).toMatchObject({
      code: 200,
    })
  const idOf = async (name: string) => {
    const [row] = await db
      .select()
      .from(routers)
      .where(eq(routers.name, `${name}@${sign}`))
    return row!.id
  }
  const before = await idOf('a')
  await swapIds(test, ['a', 'b'])
  expect(await idOf('b')).toBe(before) // b has the id that a had
  expect(await main.call(networkApi.restore, { ...target, version: 2 })).toMatchObject({
    code: 200,
    data: { skipped: [] },
  })
  const modes = await db
    .select({ name: routers.name, value: memberSettings.value })
    .from(memberSettings)
    .innerJoin(routers, eq(routers.id, memberSettings.routerId))
    .where(and(eq(memberSettings.accountId, accountId), eq(memberSettings.setting, 'software_mode')))
  expect(modes).toEqual([{ name: `a@${sign}`, value: '{"mode":3}' }])
  const versions = await db.select().from(networkVersions).where(eq(networkVersions.accountId, accountId))
  expect(versions.every(({ changes }) => (JSON.parse(changes) as { uids?: object }[]).every(({ uids }) => uids))).toBe(
    true,
  )
})
