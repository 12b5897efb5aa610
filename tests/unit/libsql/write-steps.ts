import fc from 'fast-check'
import { Refusal } from '#contract/kernel/errors.ts'
import { openDb } from '#db/client.ts'
import type { Driver } from '#db/driver.ts'
import { updateNetworkStatus } from '#features/network/sql/status.ts'
import { editSign } from '#features/account/suffix.ts'
import { createNetwork, deleteNetwork, renameNetwork, setCiphers } from '#features/network/networks.ts'
import { reSendConfig } from '#features/network/members/jobs.ts'
import { addMember, editNetwork, removeMember, batchAddMember } from '#features/network/members/change-members.ts'
import { addRouter } from '#features/router/add.ts'
import { batchAdd, batchDeleteFile } from '#features/router/member-file.ts'
import { batchDelete, deleteRouter } from '#features/router/delete.ts'
import { editNote, resendRouter, batchNote, batchResend, updateStatus } from '#features/router/manage.ts'
import { replaceRouter } from '#features/router/replace.ts'
import { withdrawNetworks } from '#jobs/expiry.ts'
import { activationHash } from '#security/device-secrets.ts'
import { NOW, db, driver, run } from '#tests/support/libsql.ts'
import { createMemberFile } from '#tests/support/workbooks.ts'
import { addresses, links, passed, restore } from './setting-steps.ts'
import { type Fixture, type Step, at, createPlan, nameOf, namesOf, roles, router, step, target } from './write-step.ts'
import { accountApi } from '#contract/account/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

// Writes of a customer on the networks and members of one account, for fast-check.

const creationOf = (kinds: fc.Arbitrary<readonly number[]>) =>
  step(networkApi.create.path, kinds, async (fixture, kind) => {
    const plan = { ...(await createPlan(fixture, kind)), network_type: 1 as const }
    fixture.numbers.push((await createNetwork(fixture.ctx, plan)).network_number)
  })
/** Of points alone. */
const alikeCreation = step(networkApi.create.path, roles, async (fixture, kinds) => {
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
/** With `confirm` settings in use are turned off; without it the change is refused. */
const confirmation = fc.constantFrom({}, { confirm: 1 as const })
const edit = step(networkApi.edit.path, fc.tuple(at, roles, confirmation), async (fixture, [network, kinds, sent]) =>
  editNetwork(fixture.ctx, { ...(await createPlan(fixture, kinds)), ...target(fixture, network), ...sent }),
)
const add = step(
  networkApi.addMember.path,
  fc.tuple(at, router, fc.constantFrom('center', 'point')),
  async (fixture, [network, n, member_type]) =>
    addMember(fixture.ctx, { ...target(fixture, network), router_name: await nameOf(fixture, n), member_type }),
)
const remove = step(
  networkApi.removeMember.path,
  fc.tuple(at, router, confirmation),
  async (fixture, [network, n, sent]) =>
    removeMember(fixture.ctx, { ...target(fixture, network), router_name: await nameOf(fixture, n), ...sent }),
)
const drop = step(networkApi.delete.path, at, (fixture, network) =>
  deleteNetwork(fixture.ctx, target(fixture, network)),
)
const rename = step(networkApi.name.path, at, (fixture, network) =>
  renameNetwork(fixture.ctx, { ...target(fixture, network), network_name: '新名' }),
)
const ciphers = step(
  networkApi.ciphers.path,
  fc.tuple(at, fc.constantFrom('default', 'sm')),
  (fixture, [network, ncp_ciphers]) => setCiphers(fixture.ctx, { ...target(fixture, network), ncp_ciphers }),
)
const deletion = step(routerApi.delete.path, fc.tuple(router, confirmation), async (fixture, [n, sent]) =>
  deleteRouter(fixture.ctx, { router_name: await nameOf(fixture, n), ...sent }),
)
const deletions = step(
  routerApi.batchDelete.path,
  fc.uniqueArray(router, { minLength: 1, maxLength: 3 }),
  async (fixture, some) => batchDelete(fixture.ctx, { router_name: await namesOf(fixture, some) }),
)
/** A member is disabled or enabled, most often software, which others name. */
const status = step(
  routerApi.updateStatus.path,
  fc.record({ n: fc.constantFrom(0, 5, 6, 5, 6, 7), status: fc.constantFrom(0, 0, 1), sent: confirmation }),
  async (fixture, { n, status: to, sent }) =>
    updateStatus(fixture.ctx, { router_name: await nameOf(fixture, n), status: to, ...sent }),
)
/** Takes down the members that a call has added. */
async function keepAdded({ accountId, routerIds }: Fixture): Promise<void> {
  const added = await run('select id from routers where account_id = ? and id > ? order by id', [
    accountId,
    Math.max(...routerIds),
  ])
  routerIds.push(...added.map((row) => Number(row['id'])))
}
async function createBox({ ctx }: Fixture, serial: string): Promise<void> {
  const hash = await activationHash(ctx.env.HMAC_SECRET, serial, 'code')
  await run(
    `insert into devices (serial, model, activation_hash, created_at) values (?1, 'X', ?2, 0) on conflict do nothing`,
    [serial, hash],
  )
}
/** A new device in the place of another. */
const replacement = step(routerApi.replace.path, fc.tuple(fc.nat(5), fc.nat(9)), async (fixture, [n, box]) => {
  const username = `BOX${fixture.accountId}-${box}`
  await createBox(fixture, username)
  await replaceRouter(fixture.ctx, { router_name: await nameOf(fixture, n), username, code: 'code' })
})
const some = fc.uniqueArray(router, { minLength: 1, maxLength: 3 })
const bulkAdd = step(networkApi.batchAddMember.path, fc.tuple(at, some), async (fixture, [network, chosen]) =>
  batchAddMember(fixture.ctx, { ...target(fixture, network), router_name: await namesOf(fixture, chosen) }),
)
const bulkNote = step(routerApi.batchNote.path, some, async (fixture, chosen) =>
  batchNote(fixture.ctx, { router_name: await namesOf(fixture, chosen), note: '备注' }),
)
const bulkResend = step(routerApi.batchResend.path, some, async (fixture, chosen) =>
  batchResend(fixture.ctx, { router_name: await namesOf(fixture, chosen) }),
)
/** A device is claimed, or a software member made, straight into a network. */
const join = step(routerApi.add.path, fc.tuple(at, fc.constantFrom(1, 2)), async (fixture, [network, router_type]) => {
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
  await keepAdded(fixture)
})
/** Software members of a file, straight into a network or into none. */
const fileAdd = step(
  routerApi.batch.path,
  fc.tuple(at, fc.boolean(), fc.constantFrom(0, 1), fc.integer({ min: 1, max: 2 })),
  async (fixture, [network, isJoined, all, count]) => {
    const { ctx, accountId, routerIds } = fixture
    const rows = Array.from({ length: count }, (_, n) => [`file${accountId}_${routerIds.length + n}`, 'Weilai26'])
    const file = await createMemberFile([['账号', '密码'], ...rows])
    await batchAdd(ctx, { file, all, network_number: isJoined ? target(fixture, network).network_number : '' })
    await keepAdded(fixture)
  },
)
const fileDeletion = step(routerApi.batchDeleteFile.path, some, async (fixture, chosen) => {
  const rows = (await namesOf(fixture, chosen)).map((name) => [name])
  return batchDeleteFile(fixture.ctx, { file: await createMemberFile([['账号'], ...rows]) })
})
const resend = step(networkApi.reSendConfig.path, at, (fixture, network) =>
  reSendConfig(fixture.ctx, target(fixture, network)),
)
const resendOne = step(routerApi.resend.path, router, async (fixture, n) =>
  resendRouter(fixture.ctx, { router_name: await nameOf(fixture, n) }),
)
const note = step(routerApi.note.path, router, async (fixture, n) =>
  editNote(fixture.ctx, { router_name: await nameOf(fixture, n), note: '备注' }),
)
const suffix = step(accountApi.editSign.path, fc.nat(2), (fixture, n) =>
  editSign(fixture.ctx, { sign: `suffix${n}x${fixture.accountId}` }),
)
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
  { weight: 2, arbitrary: fc.oneof(drop, suffix, ciphers, join, passed, replacement, bulkAdd, fileAdd, fileDeletion) },
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
  { weight: 2, arbitrary: fc.oneof(replacement, bulkAdd, bulkNote, bulkResend) },
  { weight: 2, arbitrary: fc.oneof(fileAdd, fileDeletion, restore) },
  { weight: 3, arbitrary: passed },
  { weight: 3, arbitrary: addresses },
  { weight: 4, arbitrary: links },
  { weight: 2, arbitrary: race },
  { weight: 1, arbitrary: fc.oneof(creation, alikeCreation, drop, rename, note, resend, resendOne) },
)

/** Two concurrent writes may notify more hubs than their changes need. */
export const isRace = (todo: Step): boolean => fc.stringify(todo).startsWith('race')
/** A change of a device's status notifies the device although its document stays the same. */
export const isStatus = (todo: Step): boolean => fc.stringify(todo).startsWith(routerApi.updateStatus.path)
