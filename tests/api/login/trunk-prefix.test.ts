import { env } from 'cloudflare:test'
import { eq, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { clientApi } from '#contract/client/index.ts'
import { accounts, codes } from '#db/schema/accounts.ts'
import { routers } from '#db/schema/routers.ts'
import { smsCountries } from '#db/schema/service.ts'
import { createClients, solvedChallenge } from '#tests/support/clients.ts'
import { createMainAccount } from '#tests/support/fixtures.ts'
import { lastCode, nextAddress, signIn } from '#tests/support/identity.ts'
import { call, db, refusal } from '#tests/support/test-worker.ts'

// A phone that an earlier release stored with its trunk prefix signs in again once the migration has run.

async function migrate() {
  const { queries = [] } = env.MIGRATIONS.find(({ name }) => name === '0049_trunk_prefixes.sql') ?? {}
  expect(queries.length).toBeGreaterThan(0)
  for (const query of queries) await db.run(sql.raw(query))
}
const number = `151${String(Date.now()).slice(-7)}`

it('an account signs in by every spelling', async () => {
  const { accountId, username } = await createMainAccount({ areaCode: '49', phone: `0${number}` })
  const names = [`+49 0${number}`, `0049${number}`, `+49 ${number}`]
  for (const name of names) expect(await signIn(name)).toMatchObject(refusal('LOGIN_FAILED'))
  await migrate()
  for (const name of names) expect(await signIn(name)).toMatchObject({ code: 200, data: { user: { username } } })
  const [row] = await db.select({ phone: accounts.phone }).from(accounts).where(eq(accounts.id, accountId))
  expect(row).toEqual({ phone: number })
})

it('a software member gets its code and signs in by it', async () => {
  await db.insert(smsCountries).values({ dialCode: '49', isAllowed: 1, dailyMax: 200 })
  const [member] = await createClients()
  await db
    .update(routers)
    .set({ areaCode: '49', phone: `0${number}` })
    .where(eq(routers.id, member!.id))
  const typed = { area_code: '49', phone: `0${number}` }
  const send = async () =>
    (await call(clientApi.phone, { ...typed, ...(await solvedChallenge()) }, { ip: nextAddress() })).data
  await send()
  expect(await lastCode(`+49 ${number}`)).toBeUndefined()
  await db.delete(codes) // a second one may follow at once
  await migrate()
  const { uniqid } = await send()
  const code = (await lastCode(`+49 ${number}`)) ?? ''
  const reply = await call(clientApi.phoneLogin, { uniqid, ...typed, code })
  expect(reply).toMatchObject({ code: 200, data: { session: { router_name: member!.name } } })
})
