import { eq } from 'drizzle-orm'
import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { createHubs } from '#durable/hubs.ts'
import type { LdapForm } from '#contract/ldap/form.ts'
import { ldapApi } from '#contract/ldap/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { files } from '#db/schema/files.ts'
import { ldapConfigs } from '#db/schema/ldap.ts'
import { routers } from '#db/schema/routers.ts'
import { networks } from '#db/schema/networks.ts'
import { DAY_MS, ecKey, issueCertificate } from '#tests/support/directory/certificates.ts'
import { saveTestConfig } from '#tests/support/directory.ts'
import { FORM, createCompany } from '#tests/support/directory-company.ts'
import { insertDevice, insertNetwork, insertRouter, unique } from '#tests/support/rows.ts'
import { createTestWorker, db, refusal } from '#tests/support/test-worker.ts'

/** The Worker where this happens between what a use case reads and what it writes. */
const interrupted = (happen: () => PromiseLike<unknown>) =>
  createTestWorker({ hubs: (requestId) => createHubs(env, requestId), afterFirstTrip: happen })

const createHardware = async (accountId: number) => {
  const { id: deviceId } = await insertDevice()
  return insertRouter({ accountId, name: unique('NL'), deviceId })
}

describe('directory 2 · a directory is saved while an object that it names is deleted', () => {
  async function saveWhile(over: Partial<LdapForm>, happen: () => PromiseLike<unknown>, company: Company) {
    const form = { ...FORM, ...over }
    expect((await company.call(ldapApi.check, form)).code).toBe(200)
    const answer = await interrupted(happen).call(ldapApi.save, form, company.main.token)
    expect(await db.select().from(ldapConfigs).where(eq(ldapConfigs.accountId, company.accountId))).toEqual([])
    return answer
  }
  type Company = Awaited<ReturnType<typeof createCompany>>

  it('its router', async () => {
    const company = await createCompany()
    const { id, name } = await createHardware(company.accountId)
    const happen = () => db.delete(routers).where(eq(routers.id, id))
    const answer = await saveWhile({ mode: 'private', router_name: name }, happen, company)
    expect(answer).toMatchObject(refusal('ROUTER_NOT_FOUND'))
  })

  it('its network', async () => {
    const company = await createCompany()
    const { id, number } = await insertNetwork({ accountId: company.accountId })
    const happen = () => db.delete(networks).where(eq(networks.id, id))
    const answer = await saveWhile({ network_number: number }, happen, company)
    expect(answer).toMatchObject(refusal('NETWORK_NOT_FOUND'))
  })

  it('its CA', async () => {
    const company = await createCompany()
    const { pem } = issueCertificate({ name: 'CA', key: ecKey(), isCa: true, until: Date.now() + DAY_MS })
    const { data } = await company.call(ldapApi.uploadCa, { file: new File([pem], 'ca.pem') })
    const happen = () => db.delete(files).where(eq(files.key, data.ca_id))
    const answer = await saveWhile({ public_ca: 0, ca_id: data.ca_id }, happen, company)
    expect(answer).toMatchObject(refusal('LDAP_CA_REQUIRED'))
  })
})

describe('directory 2 · a router is deleted while a directory begins to use it', () => {
  it('and stays, alone of several', async () => {
    const { main, accountId } = await createCompany()
    const [tunnel, other] = [await createHardware(accountId), await createHardware(accountId)]
    const save = () =>
      saveTestConfig(accountId, { syncMode: 1, networkId: null, over: { mode: 'private', routerId: tunnel.id } })
    const names = [tunnel.name, other.name]
    const answer = await interrupted(save).call(routerApi.batchDelete, { router_name: names }, main.token)
    expect(answer).toMatchObject({ code: 200, data: { deleted: 1, result: [{ deleted: 0 }, { deleted: 1 }] } })
    expect(await db.select({ id: routers.id }).from(routers).where(eq(routers.accountId, accountId))).toEqual([
      { id: tunnel.id },
    ])
  })

  it('says why', async () => {
    const { main, accountId } = await createCompany()
    const { id, name } = await createHardware(accountId)
    const save = () =>
      saveTestConfig(accountId, { syncMode: 1, networkId: null, over: { mode: 'private', routerId: id } })
    const answer = await interrupted(save).call(routerApi.delete, { router_name: name }, main.token)
    expect(answer).toMatchObject(refusal('LDAP_ROUTER_IN_USE', { name }))
  })
})
