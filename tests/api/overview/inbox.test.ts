import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { overviewApi } from '#contract/overview/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { ldapConfigs, ldapRuns } from '#db/schema/ldap.ts'
import { contacts } from '#db/schema/monitor.ts'
import { fakeHubs } from '#tests/support/fake-hubs.ts'
import { saveTestConfig } from '#tests/support/directory.ts'
import { insertCertificate } from '#tests/support/certificates/rows.ts'
import {
  createFleet,
  createMainAccount,
  createNetwork,
  createRouter,
  createService,
  createSubAccount,
  unique,
} from '#tests/support/fixtures.ts'
import { insertSupportTicket } from '#tests/support/rows.ts'
import { sellSaas } from '#tests/support/saas.ts'
import { createTestWorker, db } from '#tests/support/test-worker.ts'

const DAY = 86_400_000
const channels = [{ channel: 'webhook', target: '', since: 1, words: '拒绝' }]
const { hubs } = fakeHubs({
  'account.health': () => ({ summaries: {}, transitions: [], unsupported: {}, alerts: [], channels }),
})
const worker = createTestWorker({ hubs })

async function read(caller: { readonly token: string }) {
  const { trips, data } = await worker.call(overviewApi.info, {}, caller.token)
  expect(trips).toBe(1)
  return { kinds: data.attention.rows.map(({ kind }) => kind), status: data.status }
}

describe('design 10 · overview/info is the inbox of the account', () => {
  it('names alert channels and contacts to whoever may see monitoring of the whole account', async () => {
    const main = await createMainAccount()
    const row = { accountId: main.accountId, mailState: 'sent', mailAt: 1, createdAt: 1, verifiedAt: 1 } as const
    await db.insert(contacts).values([
      { ...row, uuid: unique(), name: '过期', email: `${unique()}@a.cn`, expiresAt: Date.now() - 1 },
      { ...row, uuid: unique(), name: '有效', email: `${unique()}@a.cn`, expiresAt: Date.now() + DAY },
    ])
    const { kinds, status } = await read(main)
    expect(kinds).toEqual(['delivery_failed', 'contact_expired'])
    expect(status).toMatchObject({ deliveries_failed: 1, reminders: 1 })
    expect((await read(await createSubAccount(main, { flags: ['monitor:view'] }))).kinds).toEqual(kinds)
    expect((await read(await createSubAccount(main, { flags: [] }))).kinds).toEqual([])
    expect((await read(await createSubAccount(main, { flags: ['monitor:view'], networks: [] }))).kinds).toEqual([])
  })

  it('names a directory that fails or asks to the main account, until a run succeeds or it is set anew', async () => {
    const main = await createMainAccount()
    await saveTestConfig(main.accountId, { syncMode: 2, networkId: null })
    const run = async (state: 'failed' | 'asking' | 'done', failure = '') => {
      const at = Date.now()
      const counts = JSON.stringify({})
      await db.insert(ldapRuns).values({
        id: unique('run'),
        accountId: main.accountId,
        kind: 'sync',
        state,
        actorName: '系统',
        counts,
        failure,
        startedAt: at,
        endedAt: at,
      })
    }
    const directoryOf = async (caller: { readonly token: string }) =>
      (await read(caller)).kinds.filter((kind) => kind.startsWith('directory'))
    expect(await directoryOf(main)).toEqual([])
    await run('failed', '连接目录服务器超时')
    expect(await directoryOf(main)).toEqual(['directory_failed'])
    expect((await read(main)).status).toMatchObject({ directory: 1 })
    expect(await directoryOf(await createSubAccount(main, { flags: ['monitor:view'] }))).toEqual([])
    await run('asking')
    expect(await directoryOf(main)).toEqual(['directory_asking'])
    await run('done')
    expect(await directoryOf(main)).toEqual([])
    await run('failed')
    await db
      .update(ldapConfigs)
      .set({ updatedAt: Date.now() + 1_000 })
      .where(eq(ldapConfigs.accountId, main.accountId))
    expect(await directoryOf(main)).toEqual([])
  })

  it('names services that are over for a month, unless another of their kind follows', async () => {
    const main = await createMainAccount()
    const add = (kind: 'bandwidth' | 'center', name: string, days: number) =>
      createService(main.accountId, kind, 1, { name, startAt: 1, expireAt: Date.now() + days * DAY })
    await add('bandwidth', '带宽', -2)
    await add('center', '中心点旧', -2)
    await add('center', '中心点新', 90)
    await add('bandwidth', '更早的带宽', -40)
    const ended = (kinds: readonly string[]) => kinds.filter((kind) => kind === 'service_over')
    const { kinds, status } = await read(main)
    expect(ended(kinds)).toHaveLength(1)
    expect(status).toMatchObject({ terms_over: 1 })
    expect(ended((await read(await createSubAccount(main, { flags: [], networks: [] }))).kinds)).toEqual([])
  })

  it('names devices of networks with trouble about their certificates, in the scope of the caller', async () => {
    const main = await createMainAccount({ services: { network_member: 10 } })
    const { accountId } = main
    const refused = { vpn: 1, certificateRefusal: '签名不符', certificateRefusedAt: Date.now() } as const
    const center = await createRouter(accountId, { note: '总部', state: refused })
    const ending = await createRouter(accountId, { note: '门店', state: { vpn: 1 } })
    const outside = await createRouter(accountId, { state: refused })
    const former = await createRouter(accountId, { state: { ...refused, vpn: 0 } })
    const number = await createNetwork(main, [center, ending, former])
    const expiresAt = Date.now() + 10 * DAY
    for (const router of [ending, outside]) await insertCertificate({ ...router, accountId }, { expiresAt })
    await insertCertificate({ ...center, accountId })
    const causes = async ({ token }: { readonly token: string }) =>
      (await worker.call(overviewApi.info, {}, token)).data.attention.rows
        .filter(({ kind }) => kind.startsWith('certificate'))
        .map(({ name, cause, target }) => [name, cause, target.router_name])
    const both = [
      ['总部', '证书申请无效：签名不符', center.name],
      ['门店', '证书还有 10 天到期', ending.name],
    ]
    expect(await causes(main)).toEqual(both)
    expect((await read(main)).status).toMatchObject({ config_trouble: 1, reminders: 2 }) // one of a service
    expect(await causes(await createSubAccount(main, { flags: [], networks: [number] }))).toEqual(both)
    expect(await causes(await createSubAccount(main, { flags: [], networks: [] }))).toEqual([])
    const certificateOf = async ({ name }: { readonly name: string }) =>
      (await worker.call(routerApi.info, { router_name: name }, main.token)).data.certificate
    const words = await Promise.all([center, ending, outside, former].map(certificateOf))
    expect(words).toEqual(['证书申请无效：签名不符', '证书还有 10 天到期', '', ''])
    const { data } = await worker.call(overviewApi.evidence, { id: `certificate ${center.name}` }, main.token)
    expect(data).toMatchObject({ row: { kind: 'certificate_refused' }, steps: expect.any(Array) })
    expect(data.steps.length).toBeGreaterThan(1)
  })

  it('names SaaS devices that end, and tickets that wait for the caller’s answer', async () => {
    const { main, routers } = await createFleet({ hardware: 2 })
    const [ending, over] = routers
    expect((await sellSaas(ending!, { expired_time: Date.now() + 20 * DAY })).code).toBe(200)
    expect((await sellSaas(over!, { expired_time: Date.now() + DAY })).code).toBe(200)
    const mine = async (caller: { readonly token: string }) =>
      (await read(caller)).kinds.filter((kind) => kind.startsWith('saas') || kind.startsWith('ticket'))
    expect(await mine(main)).toEqual(['saas_ending', 'saas_ending'])
    const { accountId } = main
    const sub = await createSubAccount(main, { flags: [] })
    const answered = { accountId, status: 3 as const, answeredAt: Date.now() }
    await insertSupportTicket({ ...answered, number: unique('T') })
    await insertSupportTicket({ ...answered, number: unique('T'), status: 2 })
    await insertSupportTicket({
      ...answered,
      number: unique('T'),
      person: `ram:${sub.ramId}`,
      createdAt: Date.now() + 9,
    })
    expect(await mine(main)).toEqual(['ticket_answered', 'ticket_answered', 'saas_ending', 'saas_ending'])
    expect(await mine(sub)).toEqual(['ticket_answered', 'saas_ending', 'saas_ending'])
    expect((await read(main)).status.reminders).toBeGreaterThanOrEqual(4)
  })
})
