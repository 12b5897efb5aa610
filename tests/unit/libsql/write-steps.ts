import fc from 'fast-check'
import { Refusal } from '../../../worker/contract/errors.ts'
import { ROUTER_TYPE } from '../../../worker/contract/limits.ts'
import { openDb } from '../../../worker/db/client.ts'
import type { Driver } from '../../../worker/db/driver.ts'
import { updateNetworkStatus } from '../../../worker/db/network-status.ts'
import { editSign } from '../../../worker/features/account/sign.ts'
import { createNetwork, deleteNetwork } from '../../../worker/features/network/lifecycle.ts'
import { batchAddMember } from '../../../worker/features/network/batch-add.ts'
import { reSendConfig } from '../../../worker/features/network/jobs.ts'
import { addMember, editNetwork, removeMember } from '../../../worker/features/network/members.ts'
import { settings } from '../../../worker/features/network/settings.ts'
import { addRouter } from '../../../worker/features/router/add.ts'
import { batchNote, batchResend } from '../../../worker/features/router/bulk.ts'
import { batchDelete, deleteRouter } from '../../../worker/features/router/delete.ts'
import { editNote, resendRouter } from '../../../worker/features/router/manage.ts'
import { replaceRouter } from '../../../worker/features/router/replace.ts'
import { updateStatus } from '../../../worker/features/router/status.ts'
import { withdrawNetworks } from '../../../worker/jobs/expiry.ts'
import { activationHash } from '../../../worker/security/activation.ts'
import { NOW, db, driver, run } from '../../support/libsql.ts'
import { addresses, links, passed } from './setting-steps.ts'
import {
  type Fixture,
  type Step,
  at,
  createPlan,
  nameOf,
  roles,
  router,
  selectNames,
  step,
  target,
} from './write-step.ts'

// Writes of a customer on the networks and members of one account, for fast-check.

const creationOf = (kinds: fc.Arbitrary<readonly number[]>) =>
  step('create', kinds, async (fixture, kind) => {
    const plan = { ...(await createPlan(fixture, kind)), network_type: 1 as const }
    fixture.numbers.push((await createNetwork(fixture.ctx, plan)).network_number)
  })
/** Of points alone. */
const alikeCreation = step('create type 2', roles, async (fixture, kinds) => {
  const plan = await createPlan(
    fixture,
    kinds.map((kind) => (kind === 1 ? 2 : kind)),
  )
  fixture.numbers.push((await createNetwork(fixture.ctx, { ...plan, network_type: 2 })).network_number)
})
const creation = creationOf(roles)
/** Of a centre, two points and the software. */
export const fullCreation = creationOf(fc.constant([1, 2, 2, 0, 0, 2, 2]))
/** With a centre. */
export const firstCreation = creationOf(roles.map((kinds) => (kinds.includes(1) ? kinds : [1, ...kinds.slice(1)])))
/** What is in use is turned off with it, or it is refused. */
const confirmation = fc.constantFrom({}, { confirm: 1 as const })
const edit = step('edit', fc.tuple(at, roles, confirmation), async (fixture, [network, kinds, sent]) =>
  editNetwork(fixture.ctx, { ...(await createPlan(fixture, kinds)), ...target(fixture, network), ...sent }),
)
const add = step(
  'add',
  fc.tuple(at, router, fc.constantFrom('center', 'point')),
  async (fixture, [network, n, member_type]) =>
    addMember(fixture.ctx, { ...target(fixture, network), router_name: await nameOf(fixture, n), member_type }),
)
const remove = step('remove', fc.tuple(at, router, confirmation), async (fixture, [network, n, sent]) =>
  removeMember(fixture.ctx, { ...target(fixture, network), router_name: await nameOf(fixture, n), ...sent }),
)
const drop = step('delete', at, (fixture, network) => deleteNetwork(fixture.ctx, target(fixture, network)))
const rename = step('rename', at, (fixture, network) =>
  settings.name(fixture.ctx, { ...target(fixture, network), network_name: '新名' }),
)
const ciphers = step('ciphers', fc.tuple(at, fc.constantFrom('default', 'sm')), (fixture, [network, ncp_ciphers]) =>
  settings.ciphers(fixture.ctx, { ...target(fixture, network), ncp_ciphers }),
)
const deletion = step('delete router', fc.tuple(router, confirmation), async (fixture, [n, sent]) =>
  deleteRouter(fixture.ctx, { router_name: await nameOf(fixture, n), ...sent }),
)
const deletions = step(
  'delete routers',
  fc.uniqueArray(router, { minLength: 1, maxLength: 3 }),
  async (fixture, some) => {
    const names = await selectNames(fixture)
    return batchDelete(fixture.ctx, { router_name: some.map((n) => names[n] ?? 'none') })
  },
)
/** A member is disabled or enabled, most often software, which others name. */
const status = step(
  'status',
  fc.record({ n: fc.constantFrom(0, 5, 6, 5, 6, 7), status: fc.constantFrom(0, 0, 1), sent: confirmation }),
  async (fixture, { n, status: to, sent }) =>
    updateStatus(fixture.ctx, { router_name: await nameOf(fixture, n), status: to, ...sent }),
)
async function createBox({ ctx }: Fixture, serial: string): Promise<void> {
  const hash = await activationHash(ctx.env.HMAC_SECRET, serial, 'code')
  await run(
    `insert into devices (serial, model, activation_hash, created_at) values (?1, 'X', ?2, 0) on conflict do nothing`,
    [serial, hash],
  )
}
/** A new device in the place of another. */
const replacement = step('replace', fc.tuple(fc.nat(5), fc.nat(9)), async (fixture, [n, box]) => {
  const username = `BOX${fixture.accountId}-${box}`
  await createBox(fixture, username)
  await replaceRouter(fixture.ctx, { router_name: await nameOf(fixture, n), username, code: 'code' })
})
const some = fc.uniqueArray(router, { minLength: 1, maxLength: 3 })
const bulkAdd = step('add routers', fc.tuple(at, some), async (fixture, [network, chosen]) => {
  const names = await selectNames(fixture)
  return batchAddMember(fixture.ctx, {
    ...target(fixture, network),
    router_name: chosen.map((n) => names[n] ?? 'none'),
  })
})
const bulkNote = step('notes', some, async (fixture, chosen) => {
  const names = await selectNames(fixture)
  const router_name = chosen.map((n) => names[n] ?? 'none')
  await batchNote(fixture.ctx, { router_name, note: '备注' })
  return batchResend(fixture.ctx, { router_name })
})
/** A device is claimed, or a software member made, straight into a network. */
const join = step('join', fc.tuple(at, fc.constantFrom(1, 2)), async (fixture, [network, router_type]) => {
  const { ctx, accountId, routerIds } = fixture
  const form = { note: '', ...target(fixture, network) }
  const username = `new${accountId}_${routerIds.length}`
  if (router_type === ROUTER_TYPE.hardware) {
    await createBox(fixture, username)
    await addRouter(ctx, { ...form, router_type: ROUTER_TYPE.hardware, username, code: 'code' })
  } else {
    const person = { password: 'Weilai26', area_code: '86', phone: '', type: 1, code: '' } as const
    await addRouter(ctx, { ...form, ...person, router_type: ROUTER_TYPE.software, username })
  }
  const [added] = await run('select max(id) as id from routers where account_id = ?', [accountId])
  routerIds.push(Number(added!['id']))
})
const resend = step('resend', at, (fixture, network) => reSendConfig(fixture.ctx, target(fixture, network)))
const resendOne = step('resend router', router, async (fixture, n) =>
  resendRouter(fixture.ctx, { router_name: await nameOf(fixture, n) }),
)
const note = step('note', router, async (fixture, n) =>
  editNote(fixture.ctx, { router_name: await nameOf(fixture, n), note: '备注' }),
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
/** The catalogue's key of a refusal; a fault passes. */
export const refusalOf = (write: Promise<unknown>): Promise<string | null> =>
  write.then(
    () => null,
    (error: unknown) => {
      if (error instanceof Refusal) return error.violation.key
      throw error
    },
  )

const shared = fc.oneof(
  { weight: 3, arbitrary: edit },
  { weight: 3, arbitrary: status },
  { weight: 3, arbitrary: fc.oneof(add, remove, deletion, deletions) },
  { weight: 2, arbitrary: fc.oneof(drop, suffix, ciphers, join, passed, replacement, bulkAdd) },
  { weight: 2, arbitrary: links },
  { weight: 2, arbitrary: addresses },
)
/** A whole write, its notices delivered, between what another one reads and what it writes. */
export const race = fc.oneof(fc.tuple(shared, shared), fc.tuple(status, edit)).map(([one, other]): Step =>
  Object.assign(
    (fixture: Fixture) => {
      let trips = 0
      const interrupted: Driver = async (statements) => {
        const rows = await driver(statements)
        if (trips++ > 0) return rows
        await refusalOf(other(fixture))
        await fixture.deliver()
        return rows
      }
      return one({ ...fixture, ctx: { ...fixture.ctx, db: openDb(interrupted), hubOutbox: [] } })
    },
    { [fc.toStringMethod]: () => `race ${fc.stringify([one, other])}` },
  ),
)
export const anyStep = fc.oneof(
  { weight: 4, arbitrary: edit },
  { weight: 3, arbitrary: add },
  { weight: 3, arbitrary: remove },
  { weight: 2, arbitrary: renew },
  { weight: 2, arbitrary: suspension },
  { weight: 2, arbitrary: fc.oneof(suffix, deletion, deletions, ciphers) },
  { weight: 2, arbitrary: fc.oneof(status, join) },
  { weight: 2, arbitrary: fc.oneof(replacement, bulkAdd, bulkNote) },
  { weight: 3, arbitrary: passed },
  { weight: 3, arbitrary: addresses },
  { weight: 4, arbitrary: links },
  { weight: 2, arbitrary: race },
  { weight: 1, arbitrary: fc.oneof(creation, alikeCreation, drop, rename, note, resend, resendOne) },
)

/** What two writes notify together may be a superset. */
export const isRace = (todo: Step): boolean => fc.stringify(todo).startsWith('race')
/** What changes a device's status notifies it although its document stays. */
export const isStatus = (todo: Step): boolean => fc.stringify(todo).startsWith('status')
