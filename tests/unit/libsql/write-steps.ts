import fc from 'fast-check'
import { Refusal } from '../../../worker/contract/errors.ts'
import { ROUTER_TYPE } from '../../../worker/contract/limits.ts'
import { openDb } from '../../../worker/db/client.ts'
import type { Driver } from '../../../worker/db/driver.ts'
import { updateNetworkStatus } from '../../../worker/db/network-status.ts'
import { editSign } from '../../../worker/features/account/sign.ts'
import { editCenterGateway } from '../../../worker/features/network/gateways.ts'
import { centerLink } from '../../../worker/features/network/center-link.ts'
import { createNetwork, deleteNetwork } from '../../../worker/features/network/lifecycle.ts'
import { addMember, editNetwork, reSendConfig, removeMember } from '../../../worker/features/network/members.ts'
import { routing } from '../../../worker/features/network/routing.ts'
import { editIpConfig } from '../../../worker/features/network/pools.ts'
import { editFixedPorts } from '../../../worker/features/network/ports.ts'
import { editPointLink } from '../../../worker/features/network/point-link.ts'
import { settings } from '../../../worker/features/network/settings.ts'
import { addRouter } from '../../../worker/features/router/add.ts'
import { batchDelete, deleteRouter } from '../../../worker/features/router/delete.ts'
import { editNote, resendRouter } from '../../../worker/features/router/manage.ts'
import { updateStatus } from '../../../worker/features/router/status.ts'
import type { Ctx } from '../../../worker/http/context.ts'
import { withdrawNetworks } from '../../../worker/jobs/expiry.ts'
import { activationHash } from '../../../worker/security/activation.ts'
import { NOW, db, driver, run } from '../../support/libsql.ts'

// Writes of a customer on the networks and members of one account, for fast-check.

/** An account under test: ids of its routers and numbers of its networks, in the order they were made. */
export interface Fixture {
  readonly accountId: number
  readonly ctx: Ctx
  readonly routerIds: number[]
  readonly numbers: string[]
  /** Delivers what writes have left in the hub outbox. */
  readonly deliver: () => Promise<void>
}
export type Step = (fixture: Fixture) => Promise<unknown>

/** Names of the routers; software is renamed by a new suffix, and a deleted one has none. */
async function selectNames({ accountId, routerIds }: Fixture): Promise<string[]> {
  const rows = await run('select id, name from routers where account_id = ?', [accountId])
  return routerIds.map((id) => String(rows.find((row) => row['id'] === id)?.['name'] ?? 'gone'))
}

export const ROUTERS = { hardware: 5, software: 2 }
const at = fc.nat(2)
/** One of those that were there at first, or have been added since. */
const router = fc.nat(ROUTERS.hardware + ROUTERS.software)
/** What each router is to be: 0 no member, 1 centre, 2 point. Mostly plans that are accepted. */
const hardwareRoles = fc.array(fc.constantFrom(0, 1, 2, 2), {
  minLength: ROUTERS.hardware,
  maxLength: ROUTERS.hardware,
})
const softwareRoles = fc.array(fc.constantFrom(0, 2, 2), { minLength: ROUTERS.software, maxLength: ROUTERS.software })
const roles = fc.tuple(hardwareRoles, softwareRoles).map((kinds) => kinds.flat())

async function createPlan(fixture: Fixture, kinds: readonly number[]) {
  const names = await selectNames(fixture)
  return {
    network_name: '网络',
    center: names.filter((_, i) => kinds[i] === 1),
    point: names.filter((_, i) => kinds[i] === 2),
  }
}
const nameOf = async (fixture: Fixture, router: number) => (await selectNames(fixture))[router] ?? 'none'
const target = ({ numbers }: Fixture, network: number) => ({
  network_number: numbers[network] ?? numbers.at(-1) ?? 'none',
})
/** A step that shows in a counterexample as what it does. */
const step = <T>(name: string, values: fc.Arbitrary<T>, run: (fixture: Fixture, value: T) => Promise<unknown>) =>
  values.map((value): Step =>
    Object.assign((fixture: Fixture) => run(fixture, value), {
      [fc.toStringMethod]: () => `${name} ${fc.stringify(value)}`,
    }),
  )

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
const twinLink = step(
  'center link',
  fc.tuple(at, fc.nat(ROUTERS.hardware), fc.constantFrom(0, 1, 1), fc.nat(3)),
  async (fixture, [network, n, enable, third]) => {
    const segment = { gateway: `172.30.${third}.0`, mask: 30 }
    const ports = { public_ip: null, public_port: null, static_port: null }
    const center_router_name = await nameOf(fixture, n)
    return centerLink.centerLink(fixture.ctx, {
      ...target(fixture, network),
      center_router_name,
      enable,
      ...segment,
      ...ports,
    })
  },
)
const twinSwitch = step('enable center link', fc.tuple(at, fc.constantFrom(0, 1)), (fixture, [network, enable]) =>
  centerLink.enableCenterLink(fixture.ctx, { ...target(fixture, network), enable }),
)
const pairLinks = step(
  'point links',
  fc.tuple(at, fc.nat(ROUTERS.hardware), fc.uniqueArray(fc.nat(ROUTERS.hardware), { maxLength: 2 }), fc.nat(9)),
  async (fixture, [network, n, peers, third]) => {
    const names = await selectNames(fixture)
    const link_config = peers.map((peer, i) => ({
      router_name: names[peer] ?? 'none',
      gateway: `172.29.${third}.${i * 4}`,
      mask: 30,
      static_port: null,
    }))
    return editPointLink(fixture.ctx, { ...target(fixture, network), router_name: names[n] ?? 'none', link_config })
  },
)
/** Links between members, which end with them. */
const links = fc.oneof(twinLink, twinSwitch, pairLinks)
const drop = step('delete', at, (fixture, network) => deleteNetwork(fixture.ctx, target(fixture, network)))
const rename = step('rename', at, (fixture, network) =>
  settings.name(fixture.ctx, { ...target(fixture, network), network_name: '新名' }),
)
const ciphers = step('ciphers', fc.tuple(at, fc.constantFrom('default', 'sm')), (fixture, [network, ncp_ciphers]) =>
  settings.ciphers(fixture.ctx, { ...target(fixture, network), ncp_ciphers }),
)
const dns = step('dns', fc.tuple(at, fc.subarray(['10.0.0.53'])), (fixture, [network, list]) =>
  routing.dns(fixture.ctx, { ...target(fixture, network), dns: list }),
)
const prefix = step('prefix', fc.tuple(at, fc.nat(2)), (fixture, [network, n]) => {
  const row = { mask: 16, name: '', permission: 'permit' as const, ge: null, le: 32 }
  const rows = Array.from({ length: n }, (_, i) => ({ ...row, ip: `10.${i}.0.1` }))
  return routing.editPrefix(fixture.ctx, { ...target(fixture, network), prefix: rows })
})
const mainAndBackup = step('routing', fc.tuple(at, fc.constantFrom(1, 2), router, router), async (fixture, values) => {
  const [network, type, main, secondary] = values
  const [main_router, secondary_router] = [await nameOf(fixture, main), await nameOf(fixture, secondary)]
  return routing.editRouting(fixture.ctx, { ...target(fixture, network), type, main_router, secondary_router })
})
const defaultRoute = step(
  'default route',
  fc.tuple(at, router, fc.constantFrom([0, null], [1, 30], [1, 60], [2, null]) as fc.Arbitrary<DefaultRoute>),
  async (fixture, [network, n, [model, metric]]) => {
    const router_name = await nameOf(fixture, n)
    return routing.defaultRoute(fixture.ctx, { ...target(fixture, network), router_name, model, metric })
  },
)
type DefaultRoute = readonly [0 | 2, null] | readonly [1, 30 | 60]
const quagga = step('quagga', fc.tuple(at, router, fc.constantFrom(0, 1)), async (fixture, [network, n, enable]) =>
  routing.quagga(fixture.ctx, { ...target(fixture, network), router_name: await nameOf(fixture, n), enable }),
)
const quaggaOfAll = step('quagga of all', fc.tuple(at, fc.boolean()), (fixture, [network, isOn]) =>
  routing[isOn ? 'quaggaEnable' : 'quaggaDisable'](fixture.ctx, target(fixture, network)),
)
const softwareMode = step('dial mode', fc.tuple(at, router, fc.constantFrom(1, 2, 3)), async (fixture, values) => {
  const [network, n, mode] = values
  return routing.softwareMode(fixture.ctx, {
    ...target(fixture, network),
    router_name: await nameOf(fixture, n),
    mode,
  })
})
const passed = fc.oneof(dns, prefix, mainAndBackup, defaultRoute, quagga, quaggaOfAll, softwareMode)
/** One of few ports and segments, so that they meet: null for the default. */
const fixedPort = fc.constantFrom(null, 4000, 4001, 20_004)
const segment = fc.constantFrom(
  null,
  { gateway: '10.50.0.0', mask: 24 },
  { gateway: '10.50.16.0', mask: 20 },
  { gateway: '100.64.32.0', mask: 20 },
)
const toPorts = (port: number | null) => ({ public_ip: null, public_port: port, static_port: port })
const ports = step(
  'ports',
  fc.tuple(at, router, fixedPort, fixedPort),
  async (fixture, [network, n, hardware, software]) =>
    editFixedPorts(fixture.ctx, {
      ...target(fixture, network),
      router_name: await nameOf(fixture, n),
      router_service: toPorts(hardware),
      software_service: toPorts(software),
    }),
)
const gateway = step(
  'gateway',
  fc.tuple(at, router, segment, segment, fc.constantFrom(0, 1, 1)),
  async (fixture, [network, n, hardware, software, pack]) =>
    editCenterGateway(fixture.ctx, {
      ...target(fixture, network),
      router_name: await nameOf(fixture, n),
      router_network: hardware,
      software_network: software,
      pack,
    }),
)
const pool = step('pool', fc.tuple(at, router, segment), async (fixture, [network, n, chosen]) => {
  const ends = { start: '10.50.16.100', end: '10.50.16.110' }
  const software = chosen?.mask === 20 && chosen.gateway.startsWith('10.') ? { ...chosen, ...ends } : null
  return editIpConfig(fixture.ctx, {
    ...target(fixture, network),
    mask: 20,
    pop: chosen,
    center_network: [{ router_name: await nameOf(fixture, n), software }],
    pack: 1,
  })
})
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
/** A device is claimed, or a software member made, straight into a network. */
const join = step('join', fc.tuple(at, fc.constantFrom(1, 2)), async (fixture, [network, router_type]) => {
  const { ctx, accountId, routerIds } = fixture
  const form = { note: '', ...target(fixture, network) }
  const username = `new${accountId}_${routerIds.length}`
  if (router_type === ROUTER_TYPE.hardware) {
    const hash = await activationHash(ctx.env.HMAC_SECRET, username, 'code')
    await run(
      `insert into devices (serial, model, activation_hash, created_at) values (?1, 'X', ?2, 0) on conflict do nothing`,
      [username, hash],
    )
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
  { weight: 2, arbitrary: fc.oneof(drop, suffix, ciphers, join, passed) },
  { weight: 2, arbitrary: links },
  { weight: 2, arbitrary: fc.oneof(ports, gateway, pool) },
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
  { weight: 3, arbitrary: passed },
  { weight: 3, arbitrary: fc.oneof(ports, gateway, pool) },
  { weight: 4, arbitrary: links },
  { weight: 2, arbitrary: race },
  { weight: 1, arbitrary: fc.oneof(creation, alikeCreation, drop, rename, note, resend, resendOne) },
)

/** What two writes notify together may be a superset. */
export const isRace = (todo: Step): boolean => fc.stringify(todo).startsWith('race')
/** What changes a device's status notifies it although its document stays. */
export const isStatus = (todo: Step): boolean => fc.stringify(todo).startsWith('status')
