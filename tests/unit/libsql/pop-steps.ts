import fc from 'fast-check'
import { chooseFr, editMemberOv } from '#features/network/pop/resource.ts'
import { editIpAddressPool } from '#features/network/addresses/addresses.ts'
import { lapseResources } from '#jobs/expiry.ts'
import { NOW, createAccount, createRouters, run } from '#tests/support/libsql.ts'
import { type Fixture, type Step, at, nameOf, router, step, target } from './write-step.ts'
import { networkApi } from '#contract/network/index.ts'
import { renewNetworkFr, withdrawNetworkFr } from '#features/ops/network-frs.ts'
import { completeNetworkTicket } from '#features/ops/network-tickets.ts'

// Steps of a customer and the operator with POP resources.

/** Two areas with a node each, of an account of the operator, and two resources: one of both areas, one of the second. */
export async function createPops(accountId: number): Promise<void> {
  const { id: operator } = await createAccount(0)
  const names = await createRouters(operator, 2)
  for (const name of names) {
    await run('insert into pops (name, created_at) values (?, 0)', [name])
    await run(
      `insert into pop_nodes (pop_id, router_id, created_at)
       select p.id, r.id, 0 from pops p join routers r on r.name = p.name where p.name = ?`,
      [name],
    )
  }
  for (const areas of [names, names.slice(1)]) {
    await run(`insert into network_frs (account_id, name, created_at, expire_at) values (?, 'POP', 0, ?)`, [
      accountId,
      NOW + 1_000_000,
    ])
    for (const name of areas)
      await run(
        `insert into network_fr_areas (account_id, fr_id, pop_id, bandwidth)
         select ?, (select max(id) from network_frs), id, 50 from pops where name = ?`,
        [accountId, name],
      )
  }
}

const idsOf = async (sql: string, { accountId }: Fixture) =>
  (await run(sql, [accountId])).map((row) => Number(row['id']))
const selectFrIds = (fixture: Fixture) => idsOf('select id from network_frs where account_id = ? order by id', fixture)
const selectAreaIds = (fixture: Fixture) =>
  idsOf('select id from network_fr_areas where account_id = ? order by id', fixture)

const segments = fc.constantFrom(null, { gateway: '10.60.0.0', mask: 16 }, { gateway: '10.61.0.0', mask: 24 })
export const popPool = step(networkApi.editIpAddressPool.path, fc.tuple(at, segments), (fixture, [network, pop]) =>
  editIpAddressPool(fixture.ctx, {
    ...target(fixture, network),
    mask: 20,
    pop,
    pop_software: pop && { ...pop, gateway: '10.62.0.0' },
    center_network: [],
    pack: 0,
  }),
)
export const choice = step(
  networkApi.fr.path,
  fc.tuple(at, fc.nat(1), fc.constantFrom(1, 2)),
  async (fixture, values) => {
    const [network, n, mode] = values
    const frId = (await selectFrIds(fixture))[n] ?? 0
    return chooseFr(fixture.ctx, { ...target(fixture, network), network_fr_id: frId, mode })
  },
)
/** An area by its place; 0 is none. */
const place = fc.nat(3)
export const areas = step(
  networkApi.memberOv.path,
  fc.tuple(at, router, place, place, fc.integer({ min: 1, max: 5 })),
  async (fixture, values) => {
    const [network, n, main, backup, priority] = values
    const ids = [0, ...(await selectAreaIds(fixture))]
    return editMemberOv(fixture.ctx, {
      ...target(fixture, network),
      router_name: await nameOf(fixture, n),
      ov_id_main: ids[main] ?? 0,
      ov_id_backup: ids[backup] ?? 0,
      priority,
    })
  },
)
/** The term of a resource ends, and the cron comes. */
const lapse = step('lapse', fc.nat(2), async (fixture, n) => {
  const id = (await selectFrIds(fixture))[n] ?? 0
  await run('update network_frs set created_at = 0, expire_at = ? where id = ?', [NOW - 1, id])
  await lapseResources({ ...fixture.ctx, now: NOW, runId: 'run' })
})
const NUMBER = (fixture: Fixture) => `T${fixture.accountId}`
/** An order of both areas, with two members in the first; a network has one open order at most. */
const completion = step('completion', fc.tuple(at, router, router), async (fixture, [network, ...some]) => {
  const { accountId, routerIds } = fixture
  const pops = await run(
    `select distinct p.id, p.name from pops p join network_fr_areas a on a.pop_id = p.id where a.account_id = ? order by p.id`,
    [accountId],
  )
  const pop = pops.map((row) => ({ value: Number(row['id']), name: String(row['name']) }))
  const members = [...new Set(some)].map((n) => ({ id: routerIds[n] ?? 0, name: 'x' }))
  const attributes = { bandwidth: 50, pop, expired_time: 1, pop_conf: { [pop[0]!.value]: members } }
  await run('delete from network_tickets where account_id = ?', [accountId])
  await run(
    `insert into network_tickets (account_id, number, network_number, status, attributes, created_by, created_at)
     values (?, ?, ?, 2, ?, '', 0)`,
    [accountId, NUMBER(fixture), target(fixture, network).network_number, JSON.stringify(attributes)],
  )
  return completeNetworkTicket(asOperator(fixture), { number: NUMBER(fixture), note: '' })
})
const asOperator = ({ ctx }: Fixture) => ({ ...ctx, operator: OPERATOR })
const OPERATOR = { name: 'operator', scope: 'admin' } as const
/** The newest resource. */
const newestFr = async (fixture: Fixture) => (await selectFrIds(fixture)).at(-1) ?? 0
const renewal = step('renewal', fc.constant(1 as const), async (fixture, years) =>
  renewNetworkFr(asOperator(fixture), { network_fr_id: await newestFr(fixture), note: '', expired_time: years }),
)
const withdrawal = step('withdrawal', fc.constant(''), async (fixture, note) =>
  withdrawNetworkFr(asOperator(fixture), { network_fr_id: await newestFr(fixture), note }),
)
export const popStep = fc.oneof(
  { weight: 3, arbitrary: areas },
  { weight: 2, arbitrary: choice },
  { weight: 1, arbitrary: fc.oneof(popPool, lapse, completion, renewal, withdrawal) },
)

const LOOSE = /^(lapse|completion|renewal|withdrawal) /
/** Notifies members that could be concerned, too: it reads no documents. */
export const isOfOperator = (todo: Step): boolean => LOOSE.test(fc.stringify(todo))
