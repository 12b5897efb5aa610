import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { AUTH_LOGIN } from '#contract/auth-source/limits.ts'
import { routerApi } from '#contract/router/index.ts'
import { authBindings, authRequests } from '#db/schema/auth-sources.ts'
import { batch } from '#db/batch.ts'
import { deleteExpired } from '#db/retention.ts'
import { begin, createCompany, createLoginWorker, personOf, signInAs } from '#tests/support/auth-logins.ts'
import { db } from '#tests/support/test-worker.ts'

const worker = createLoginWorker()
const requests = (sourceId: number) => db.$count(authRequests, eq(authRequests.sourceId, sourceId))

it('requests are swept once they have expired', async () => {
  const company = await createCompany(worker)
  await begin(worker, company)
  await signInAs(worker, company, personOf(company))
  expect(await requests(company.id)).toBe(2)
  await batch(db, deleteExpired(db, Date.now()))
  expect(await requests(company.id)).toBe(2)
  await batch(db, deleteExpired(db, Date.now() + AUTH_LOGIN.requestMs + 1_000))
  expect(await requests(company.id)).toBe(0)
})

it('a deleted member leaves neither binding nor request', async () => {
  const company = await createCompany(worker)
  await signInAs(worker, company, personOf(company))
  await worker.call(routerApi.delete, { router_name: company.member.name }, company.main.token)
  expect(await requests(company.id)).toBe(0)
  expect(await db.$count(authBindings, eq(authBindings.sourceId, company.id))).toBe(0)
})
