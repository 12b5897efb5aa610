import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { selectRouter } from '../../../durable/router-hub/database.ts'
import { NETWORK, OUTBOX } from '../../../worker/contract/limits.ts'
import type { OutboxEntry } from '../../../worker/contract/hubs.ts'
import { deliverOutbox } from '../../../worker/db/hub-outbox.ts'
import { updateNetworkStatus } from '../../../worker/db/network-status.ts'
import { canonicalJson, compileRouter } from '../../../worker/domain/network/compile.ts'
import { editSign } from '../../../worker/features/account/sign.ts'
import { createNetwork, deleteNetwork } from '../../../worker/features/network/lifecycle.ts'
import { addMember, editNetwork, removeMember } from '../../../worker/features/network/members.ts'
import { settings } from '../../../worker/features/network/settings.ts'
import { deleteRouter } from '../../../worker/features/router/delete.ts'
import { editNote } from '../../../worker/features/router/manage.ts'
import type { Ctx } from '../../../worker/http/context.ts'
import { withdrawNetworks } from '../../../worker/jobs/expiry.ts'
import { selectDueEntries } from '../../../worker/jobs/queries.ts'
import { fakeHubs } from '../../support/fake-hubs.ts'
import { NOW, createAccount, db, createRouters, run } from '../../support/libsql.ts'

// Properties over many edits on libSQL, quick without HTTP.

const toLinkKey = (secret: string, link: string) =>
  createHash('sha256')
    .update(secret + link)
    .digest('hex')

/** Documents of every hardware router of an account by its hub, compiled from its rows as they are. */
async function documents(accountId: number): Promise<Map<string, string>> {
  const rows = await run(
    `select n.number, n.secret, n.ciphers, r.id, r.name, r.router_type, m.member_type, m.segment_index, m.host
     from network_members m join networks n on n.id = m.network_id join routers r on r.id = m.router_id
     where m.account_id = ? and n.withdrawn = 0`,
    [accountId],
  )
  const networks = [...new Set(rows.map((row) => String(row['number'])))].map((networkNumber) => {
    const members = rows.filter((row) => row['number'] === networkNumber)
    return {
      networkNumber,
      ciphers: members[0]?.['ciphers'] as 'default' | 'sm',
      secret: String(members[0]?.['secret']),
      members: members.map((row) => ({
        routerName: String(row['name']),
        routerType: row['router_type'] as 1 | 2,
        memberType: row['member_type'] as 'center' | 'point',
        segmentIndex: row['segment_index'] as number | null,
        host: Number(row['host']),
        endpoint: null,
      })),
    }
  })
  const hardware = await run('select hub, name from routers where account_id = ? and router_type = 1', [accountId])
  return new Map(
    hardware.map(({ hub, name }) => {
      const own = networks.filter((n) => n.members.some((m) => m.routerName === name))
      return [String(hub), canonicalJson(compileRouter(String(name), own, toLinkKey))]
    }),
  )
}

/** The document of one router from the few rows that its hub selects. A point selects itself and its centres. */
async function compileSelected(hub: string): Promise<string> {
  const { router, members: all } = await selectRouter(db, hub)
  const members = all.filter(({ withdrawn }) => withdrawn === 0)
  const networks = [...new Set(members.map(({ number }) => number))].map((networkNumber) => {
    const rows = members.filter(({ number }) => number === networkNumber)
    const self = rows.find(({ routerName }) => routerName === router!.name)!
    const needed = rows.filter((row) => row === self || row.memberType === 'center' || self.memberType === 'center')
    expect(rows).toEqual(needed)
    return {
      networkNumber,
      ciphers: self.ciphers,
      secret: self.secret,
      members: rows.map((row) => ({ ...row, routerType: row.routerType as 1 | 2, endpoint: null })),
    }
  })
  return canonicalJson(compileRouter(router!.name, networks, toLinkKey))
}

/** An account under test: ids of its routers and numbers of its networks, in the order they were made. */
interface Fixture {
  readonly accountId: number
  readonly ctx: Ctx
  readonly routerIds: readonly number[]
  readonly numbers: string[]
}
type Step = (fixture: Fixture) => Promise<unknown>

/** Names of the routers; software is renamed by a new suffix, and a deleted one has none. */
async function selectNames({ accountId, routerIds }: Fixture): Promise<string[]> {
  const rows = await run('select id, name from routers where account_id = ?', [accountId])
  return routerIds.map((id) => String(rows.find((row) => row['id'] === id)?.['name'] ?? 'gone'))
}

const ROUTERS = { hardware: 5, software: 2 }
const at = fc.nat(2)
const router = fc.nat(ROUTERS.hardware + ROUTERS.software - 1)
/** What each router is to be: 0 no member, 1 centre, 2 point. Mostly plans that are accepted. */
const hardwareRoles = fc.array(fc.constantFrom(0, 1, 2, 2), {
  minLength: ROUTERS.hardware,
  maxLength: ROUTERS.hardware,
})
const softwareRoles = fc.array(fc.constantFrom(0, 0, 2), { minLength: ROUTERS.software, maxLength: ROUTERS.software })
const roles = fc.tuple(hardwareRoles, softwareRoles).map((kinds) => kinds.flat())

async function createPlan(fixture: Fixture, kinds: readonly number[]) {
  const names = await selectNames(fixture)
  return {
    network_name: '网络',
    center: names.filter((_, i) => kinds[i] === 1),
    point: names.filter((_, i) => kinds[i] === 2),
  }
}
const target = ({ numbers }: Fixture, network: number) => ({ network_number: numbers[network] ?? 'none' })
/** A step that shows in a counterexample as what it does. */
const step = <T>(name: string, values: fc.Arbitrary<T>, run: (fixture: Fixture, value: T) => Promise<unknown>) =>
  values.map((value): Step =>
    Object.assign((fixture: Fixture) => run(fixture, value), {
      [fc.toStringMethod]: () => `${name} ${fc.stringify(value)}`,
    }),
  )

const creation = step('create', roles, async (fixture, kinds) => {
  fixture.numbers.push((await createNetwork(fixture.ctx, await createPlan(fixture, kinds))).network_number)
})
const edit = step('edit', fc.tuple(at, roles), async (fixture, [network, kinds]) =>
  editNetwork(fixture.ctx, { ...(await createPlan(fixture, kinds)), ...target(fixture, network) }),
)
const add = step(
  'add',
  fc.tuple(at, router, fc.constantFrom('center', 'point')),
  async (fixture, [network, n, member_type]) =>
    addMember(fixture.ctx, { ...target(fixture, network), router_name: (await selectNames(fixture))[n]!, member_type }),
)
const remove = step('remove', fc.tuple(at, router), async (fixture, [network, n]) =>
  removeMember(fixture.ctx, { ...target(fixture, network), router_name: (await selectNames(fixture))[n]! }),
)
const drop = step('delete', at, (fixture, network) => deleteNetwork(fixture.ctx, target(fixture, network)))
const rename = step('rename', at, (fixture, network) =>
  settings.name(fixture.ctx, { ...target(fixture, network), network_name: '新名' }),
)
const ciphers = step('ciphers', fc.tuple(at, fc.constantFrom('default', 'sm')), (fixture, [network, ncp_ciphers]) =>
  settings.ciphers(fixture.ctx, { ...target(fixture, network), ncp_ciphers }),
)
const deletion = step('delete router', router, async (fixture, n) =>
  deleteRouter(fixture.ctx, { router_name: (await selectNames(fixture))[n]! }),
)
const note = step('note', router, async (fixture, n) =>
  editNote(fixture.ctx, { router_name: (await selectNames(fixture))[n]!, note: '备注' }),
)
const suffix = step('suffix', fc.nat(2), (fixture, n) => editSign(fixture.ctx, `suffix${n}x${fixture.accountId}`))
const renew = step('quota', fc.nat(25), async ({ accountId }, quantity) => {
  await run(`update services set quantity = ? where account_id = ? and kind = 'network_member'`, [quantity, accountId])
  await updateNetworkStatus(db, accountId, NOW)
})
/** Time passes for suspended networks, and the cron comes. */
const suspension = step('days', fc.constantFrom(1, 20), async ({ accountId, ctx }, days) => {
  await run('update networks set suspended_at = suspended_at - ? where account_id = ?', [days * 86_400_000, accountId])
  await withdrawNetworks({ ...ctx, now: NOW, runId: 'run' })
})
/** Two writes at the same time: one of them reads what the other is about to change. */
const race = fc.tuple(edit, fc.oneof(add, remove, drop, deletion, suffix, ciphers)).map(([one, other]): Step =>
  Object.assign(
    (fixture: Fixture) =>
      Promise.allSettled([one(fixture), other({ ...fixture, ctx: { ...fixture.ctx, hubOutbox: [] } })]),
    {
      [fc.toStringMethod]: () => `race ${fc.stringify([one, other])}`,
    },
  ),
)
const anyStep = fc.oneof(
  { weight: 4, arbitrary: edit },
  { weight: 3, arbitrary: add },
  { weight: 3, arbitrary: remove },
  { weight: 2, arbitrary: renew },
  { weight: 2, arbitrary: suspension },
  { weight: 2, arbitrary: fc.oneof(suffix, deletion, race, ciphers) },
  { weight: 1, arbitrary: fc.oneof(creation, drop, rename, note) },
)

/** Fake hubs that compile a router's document on refresh; some calls get lost. */
function compilingHubs(accountId: number, compiled: Map<string, string>) {
  const refresh = async (hub: string) => {
    const document = (await documents(accountId)).get(hub)
    if (document === undefined) compiled.delete(hub)
    else compiled.set(hub, document)
  }
  return fakeHubs({ 'router.refresh': refresh, 'router.remove': (hub) => compiled.delete(hub) }).hubs
}

const isRace = (todo: Step): boolean => fc.stringify(todo).startsWith('race')

const storedEntries = async () =>
  (await run('select id, kind, hub, op from hub_outbox order by id')) as unknown as OutboxEntry[]

describe('any sequence of writes', () => {
  it('notifies exactly the routers whose document changed, and the sweep delivers lost notices', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(creation, { minLength: 2, maxLength: 3 }),
        fc.array(anyStep, { maxLength: 14 }),
        fc.infiniteStream(fc.constantFrom('delivered', 'lost', 'swept')),
        async (first, then, fates) => {
          await run('delete from hub_outbox')
          await run('delete from networks') // the cron looks at every account
          const { id, ctx } = await createAccount(20, 3)
          await createRouters(id, ROUTERS.hardware, ROUTERS.software)
          const rows = await run('select id from routers where account_id = ? order by id', [id])
          const fixture = { accountId: id, ctx, routerIds: rows.map((row) => Number(row['id'])), numbers: [] }
          const compiled = await documents(id)
          const hubs = compilingHubs(id, compiled)
          for (const todo of [...first, ...then]) {
            const known = new Set((await storedEntries()).map((entry) => entry.id))
            const before = await documents(id)
            const hadWithdrawn = await hasWithdrawn(id)
            const refusal = await todo(fixture).then(
              () => null,
              (error: unknown) => (error as { violation?: { key: string } }).violation?.key ?? String(error),
            )
            expect(refusal ?? '').toMatch(/^[A-Z_]*$/) // refused by a sentence of the catalogue, never by a fault
            const after = await documents(id)
            const moved = [...after].filter(([hub, text]) => before.get(hub) !== text).map(([hub]) => hub)
            const entries = (await storedEntries()).filter((entry) => !known.has(entry.id))
            const notified = new Set(entries.filter((e) => e.kind === 'router' && e.op === 'refresh').map((e) => e.hub))
            expect([...notified]).toEqual(expect.arrayContaining(moved))
            // two parallel writes may each notify a superset, and so may a change of a network that no document names
            const isLoose = isRace(todo) || hadWithdrawn || (await hasWithdrawn(id))
            expect(isLoose ? [] : [...notified].filter((hub) => !moved.includes(hub))).toEqual([])
            const gone = [...before.keys()].filter((hub) => !after.has(hub))
            expect(entries.filter((e) => e.op === 'remove' && e.kind === 'router').map((e) => e.hub)).toEqual(gone)
            await checkRules(id)

            const fate = fates.next().value
            if (fate === 'delivered') await deliverOutbox(db, hubs, entries, NOW)
            if (fate === 'swept')
              await deliverOutbox(db, hubs, await selectDueEntries(db, NOW + OUTBOX.sweepAfterMs, 200), NOW)
          }
          await deliverOutbox(db, hubs, await selectDueEntries(db, NOW + OUTBOX.sweepAfterMs, 1_000), NOW)
          expect(await storedEntries()).toEqual([])
          expect(compiled).toEqual(await documents(id))
          for (const [hub, document] of compiled) expect(await compileSelected(hub)).toBe(document)
        },
      ),
      { numRuns: 100 },
    )
  }, 180_000)
})

const hasWithdrawn = async (accountId: number) =>
  (await run('select 1 from networks where account_id = ? and withdrawn = 1', [accountId])).length > 0

async function checkRules(accountId: number): Promise<void> {
  const networks = await run(
    `select n.id, n.status, count(m.id) as members, coalesce(sum(m.member_type = 'center'), 0) as centers
     from networks n left join network_members m on m.network_id = n.id where n.account_id = ? group by n.id order by n.id`,
    [accountId],
  )
  const [service] = await run(`select quantity from services where account_id = ? and kind = 'network_member'`, [
    accountId,
  ])
  let used = 0
  for (const { status, members, centers } of networks) {
    const fits = used + Number(members) <= Number(service?.['quantity']) // in the order of creation
    if (fits) used += Number(members)
    expect(Number(centers)).toBeGreaterThan(0)
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
