import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OutboxEntry } from '#contract/kernel/hubs.ts'
import { API } from '#contract/api.ts'
import { HUB_OUTBOX } from '#contract/kernel/hub-limits.ts'
import { deliverOutbox, selectDueEntries } from '#db/hub-outbox.ts'
import { repetitions, seedsOf } from '#tests/support/depth.ts'
import { fakeHubs } from '#tests/support/fake-hubs.ts'
import { NOW, createAccount, createRouters, createService, db, run } from '#tests/support/libsql.ts'
import { type Documents, compileAll, compileSelected, documents, selectNodeHubs } from './documents.ts'
import { areas, choice, createPops, isOfOperator, popPool, popStep } from './pop-steps.ts'
import { ROUTERS, type Step, stepNames } from './write-step.ts'
import { anyStep, firstCreation, fullCreation, isRace, isStatus, race, refusalOf } from './write-steps.ts'
import { accountApi } from '#contract/account/index.ts'
import { NETWORK } from '#contract/network/limits.ts'

/** Fake hubs that compile a router's document on refresh; some calls get lost. */
function compilingHubs(accountId: number, compiled: Map<string, string>) {
  const refresh = async (hub: string) => {
    const document = (await documents(accountId)).get(hub)
    if (document === undefined) compiled.delete(hub)
    else compiled.set(hub, document)
  }
  return fakeHubs({ 'router.refresh': refresh, 'router.remove': (hub) => compiled.delete(hub) }).hubs
}

/** Hubs whose document is another one than before, or new. */
const movedHubs = (before: Documents, after: Documents): string[] =>
  [...after].filter(([hub, text]) => before.get(hub) !== text).map(([hub]) => hub)

const storedEntries = async () =>
  (await run('select id, kind, hub, op from hub_outbox order by id')) as unknown as OutboxEntry[]

/** Runs them one by one on a new account; after each, and at the end, documents are what hubs have compiled. Answers undelivered notices. */
async function checkWrites(steps: readonly Step[], fates: Iterator<'delivered' | 'lost' | 'swept'>) {
  await run('delete from hub_outbox')
  await run('delete from pop_members')
  await run('delete from networks') // the cron looks at every account
  await run('delete from network_frs')
  const { id, ctx } = await createAccount(20, 3)
  await createRouters(id, ROUTERS.hardware, ROUTERS.software)
  await createService(id, 'software_member', 5)
  await run(`update accounts set quagga = 1, default_route = 1, sign = 'sign00' || id where id = ?`, [id])
  await createPops(id)
  const nodes = new Set((await selectNodeHubs(id)).map(({ hub }) => String(hub)))
  const rows = await run('select id from routers where account_id = ? order by id', [id])
  const compiled = new Map(await documents(id))
  const hubs = compilingHubs(id, compiled)
  const delivered: OutboxEntry[] = []
  const deliver = async () => {
    const entries = await storedEntries()
    delivered.push(...entries)
    await deliverOutbox(db, hubs, entries, NOW)
  }
  const fixture = { accountId: id, ctx, routerIds: rows.map((row) => Number(row['id'])), numbers: [], deliver }
  let before = await compileAll(id)
  for (const todo of steps) {
    await run('delete from attempts') // the pauses between such calls are over
    await run('delete from messages') // the clock stands, so that two steps of the operator would be one event
    const known = new Set((await storedEntries()).map((entry) => entry.id))
    await refusalOf(todo(fixture)) // refused by a sentence of the catalogue, never by a fault
    const after = await compileAll(id)
    const moved = movedHubs(before.documents, after.documents)
    const left = (await storedEntries()).filter((entry) => !known.has(entry.id))
    const entries = [...delivered.splice(0).filter((entry) => !known.has(entry.id)), ...left]
    const notified = new Set(entries.filter((e) => e.kind === 'router' && e.op === 'refresh').map((e) => e.hub))
    expect([...notified]).toEqual(expect.arrayContaining(moved))
    const concerned = new Set([...moved, ...movedHubs(before.named, after.named)])
    const isLoose = isRace(todo) || isStatus(todo) || isOfOperator(todo)
    const needless = [...notified].filter((hub) => !concerned.has(hub) && !nodes.has(hub)) // a node may find its document unchanged
    expect(isLoose ? [] : needless).toEqual([])
    const gone = [...before.documents.keys()].filter((hub) => !after.documents.has(hub))
    // Two deletions at the same time may both say so.
    const removed = new Set(entries.filter((e) => e.kind === 'router' && e.op === 'remove').map((e) => e.hub))
    expect([...removed].toSorted()).toEqual(gone.toSorted())
    const pending = new Set((await storedEntries()).map(({ hub }) => hub))
    expect(movedHubs(compiled, after.documents).filter((hub) => !pending.has(hub))).toEqual([])
    await checkRules(id)
    before = after // a delivery writes no document

    const fate = fates.next().value
    if (fate === 'delivered') await deliverOutbox(db, hubs, left, NOW)
    if (fate === 'swept')
      await deliverOutbox(db, hubs, await selectDueEntries(db, NOW + HUB_OUTBOX.sweepAfterMs, 200), NOW)
  }
  await deliverOutbox(db, hubs, await selectDueEntries(db, NOW + HUB_OUTBOX.sweepAfterMs, 1_000), NOW)
  expect(compiled).toEqual(await documents(id))
  for (const [hub, document] of compiled) expect(await compileSelected(hub)).toBe(document)
  return storedEntries()
}

const fates = fc.infiniteStream(fc.constantFrom('delivered', 'lost', 'swept'))

describe.each(seedsOf('any writes'))('any sequence of writes (seed %i)', (seed) => {
  it('notifies exactly the routers whose document changed, and the sweep delivers lost notices', async () => {
    const first = fc.array(firstCreation, { minLength: 2, maxLength: 3 })
    const then = fc.array(anyStep, { maxLength: 14, size: 'max' })
    const check = fc.asyncProperty(first, then, fates, async (a, b, stream) => {
      expect(await checkWrites([...a, ...b], stream)).toEqual([])
    })
    await fc.assert(check, { numRuns: repetitions(50), seed })
  }, 180_000)

  it('also of a network with a POP resource', async () => {
    const first = fc.tuple(fullCreation, popPool, choice, areas)
    const then = fc.array(fc.oneof({ weight: 2, arbitrary: popStep }, anyStep), { maxLength: 10, size: 'max' })
    const check = fc.asyncProperty(first, then, fates, async (a, b, stream) => {
      expect(await checkWrites([...a, ...b], stream)).toEqual([])
    })
    await fc.assert(check, { numRuns: repetitions(50), seed })
  }, 180_000)

  it('also when another write comes between what one reads and what it writes', async () => {
    const check = fc.asyncProperty(fullCreation, race, fates, async (a, b, stream) => {
      expect(await checkWrites([a, b], stream)).toEqual([])
    })
    await fc.assert(check, { numRuns: repetitions(100), seed })
  }, 180_000)
})

/** Writes that are no step. */
const NO_STEP: Readonly<Record<string, string>> = {
  'network/diagnose': 'asks devices; no row of a document',
  'network/impact': 'ends before it writes',
  'network/kill_user': 'a job of the device; no row of a document',
  'network/reset_respawn': 'as kill_user',
  'network/ticket': 'an order: its completion by the operator is a step',
  'network/ticket_cancel': 'as ticket',
  'network/ticket_delete': 'as ticket',
  'router/choices': 'reads alone: many names',
  'router/traffic_ticket': 'admits a viewer',
  'router/endpoints':
    'in documents of routers that dial it, once its device has come: tests/api/router/endpoints.test.ts',
  'router/phone': 'in no document',
  'router/password': 'in no document',
  'router/revoke_profile': 'as kill_user',
}

it('every call that writes networks and members is a step', () => {
  const isOfMembers = (path: string) => /^(network|network_fr|router)\//.test(path) || path === accountApi.editSign.path
  const writes = API.filter(({ method, path }) => method === 'POST' && isOfMembers(path)).map(({ path }) => path)
  expect(writes.filter((path) => !stepNames.has(path) && !(path in NO_STEP))).toEqual([])
  expect(Object.keys(NO_STEP).filter((path) => stepNames.has(path) || !writes.includes(path))).toEqual([])
  expect([...stepNames].filter((name) => name.includes('/') && !writes.includes(name))).toEqual([])
})

async function checkRules(accountId: number): Promise<void> {
  const networks = await run(
    `select n.id, n.status, n.network_type, count(m.id) as members, coalesce(sum(m.member_type = 'center'), 0) as centers
     from networks n left join network_members m on m.network_id = n.id where n.account_id = ? group by n.id order by n.id`,
    [accountId],
  )
  const [service] = await run(`select quantity from services where account_id = ? and kind = 'network_member'`, [
    accountId,
  ])
  let used = 0
  for (const { status, network_type: type, members, centers } of networks) {
    const fits = used + Number(members) <= Number(service?.['quantity']) // in the order of creation
    if (fits) used += Number(members)
    expect(Number(centers) > 0).toBe(type === 1)
    expect(Number(centers)).toBeLessThanOrEqual(3)
    expect(status).toBe(fits ? 1 : 0)
  }
  const hosts = await run(
    `select host, router_type, member_type from network_members m join routers r on r.id = m.router_id where m.account_id = ?`,
    [accountId],
  )
  expect(hosts.filter((row) => row['router_type'] === 2 && row['member_type'] === 'center')).toEqual([])
  const crowded = await run(
    `select 1 from network_members where account_id = ? group by router_id having count(*) > ?`,
    [accountId, NETWORK.perRouter],
  )
  expect(crowded).toEqual([])
}
