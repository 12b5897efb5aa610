import type { Endpoint, Input } from '#contract/kernel/endpoint.ts'
import { type Answer, type Session } from './api.ts'
import type { AccountRows, NetworkRow } from './rows.ts'
import { accountApi } from '#contract/account/index.ts'
import { loginApi } from '#contract/login/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

/** What a writer chooses from. */
export interface Fixtures {
  readonly session: Session
  readonly rows: AccountRows
  /** Devices of this account with their activation codes, claimed or not. */
  readonly codes: ReadonlyMap<string, string>
  /** Sessions that may be signed out. */
  readonly guests: readonly Session[]
}

/** A write that was sent. `isAudited` is false where the values may be the present ones: such a write changes and audits nothing. */
export interface Sent {
  readonly path: string
  readonly isAudited: boolean
  readonly answer: Answer<unknown>
  /** Session that it ended, if it was acknowledged. */
  readonly ended?: string
}

type Write = (fixtures: Fixtures) => Promise<Sent | null>

const NETWORKS = { fewest: 2, most: 5 } as const
const FEWEST_ROUTERS = 6
const PASSWORD = 'Kx7mQ2vRw9'

const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(Math.random() * items.length)]
const shuffled = <T>(items: readonly T[]): T[] => items.toSorted(() => Math.random() - 0.5)
const mark = (): string => Math.random().toString(36).slice(2, 9).padEnd(7, '0')

async function send<E extends Endpoint>(
  { session }: Fixtures,
  spec: E,
  input: Input<E>,
  isAudited = true,
): Promise<Sent> {
  return { path: spec.path, isAudited, answer: await session.ask(spec, input) }
}

const onNetwork =
  (write: (fixtures: Fixtures, network: NetworkRow) => Promise<Sent | null>): Write =>
  async (fixtures) => {
    const network = pick(fixtures.rows.networks)
    return network ? write(fixtures, network) : null
  }

const onRouter =
  (type: 1 | 2 | null, write: (fixtures: Fixtures, name: string) => Promise<Sent | null>): Write =>
  async (fixtures) => {
    const router = pick(fixtures.rows.routers.filter(({ routerType }) => type === null || routerType === type))
    return router ? write(fixtures, router.name) : null
  }

function createPlan({ rows }: Fixtures) {
  const hardware = shuffled(rows.routers.filter(({ routerType }) => routerType === ROUTER_TYPE.hardware))
  const software = shuffled(rows.routers.filter(({ routerType }) => routerType === ROUTER_TYPE.software))
  const names = hardware.map(({ name }) => name)
  const centers = Math.random() < 0.3 ? 2 : 1
  const points = Math.floor(Math.random() * 6)
  return {
    network_name: `组网${mark()}`,
    center: names.slice(0, centers),
    point: [
      ...names.slice(centers, centers + points),
      ...software.slice(0, Math.random() < 0.4 ? 1 : 0).map((r) => r.name),
    ],
  }
}

const create: Write = async (fixtures) =>
  fixtures.rows.networks.length >= NETWORKS.most ? null : send(fixtures, networkApi.create, createPlan(fixtures))

const remove = onNetwork(async (fixtures, { number }) =>
  fixtures.rows.networks.length <= NETWORKS.fewest
    ? null
    : send(fixtures, networkApi.delete, { network_number: number }),
)

const rename = onNetwork((fixtures, { number }) =>
  send(fixtures, networkApi.name, { network_number: number, network_name: `改名${mark()}` }),
)

const ciphers = onNetwork((fixtures, { number, ciphers: now }) =>
  send(fixtures, networkApi.ciphers, { network_number: number, ncp_ciphers: now === 'sm' ? 'default' : 'sm' }, false),
)

const edit = onNetwork((fixtures, { number, revision }) =>
  send(fixtures, networkApi.edit, {
    ...createPlan(fixtures),
    network_number: number,
    ...(Math.random() < 0.5 && { revision }),
  }),
)

const addMember = onNetwork(async (fixtures, { number, members }) => {
  const router = pick(fixtures.rows.routers.filter(({ name }) => !members.some((m) => m.name === name)))
  if (!router) return null
  const member_type = router.routerType === ROUTER_TYPE.hardware && Math.random() < 0.2 ? 'center' : 'point'
  return send(fixtures, networkApi.addMember, { network_number: number, router_name: router.name, member_type })
})

const removeMember = onNetwork(async (fixtures, { number, members }) => {
  const member = pick(members)
  return member ? send(fixtures, networkApi.removeMember, { network_number: number, router_name: member.name }) : null
})

const note = onRouter(null, (fixtures, router_name) =>
  send(fixtures, routerApi.note, { router_name, note: `备注${mark()}` }),
)

const deleteRouter = onRouter(ROUTER_TYPE.hardware, async (fixtures, router_name) =>
  fixtures.rows.routers.length <= FEWEST_ROUTERS ? null : send(fixtures, routerApi.delete, { router_name }),
)

const claim: Write = async (fixtures) => {
  const free = [...fixtures.codes].filter(([serial]) => !fixtures.rows.routers.some(({ name }) => name === serial))
  const [username, code] = pick(free) ?? []
  if (username === undefined || code === undefined) return null
  return send(fixtures, routerApi.add, { router_type: ROUTER_TYPE.hardware, username, code, note: `绑定${mark()}` })
}

const addSoftware: Write = async (fixtures) => {
  const software = fixtures.rows.routers.filter(({ routerType }) => routerType === ROUTER_TYPE.software)
  if (software.length >= 4) return null
  const form = {
    router_type: ROUTER_TYPE.software,
    username: `u${mark()}`,
    password: PASSWORD,
    area_code: '86',
  } as const
  return send(fixtures, routerApi.add, form)
}

const deleteSoftware = onRouter(ROUTER_TYPE.software, (fixtures, router_name) =>
  send(fixtures, routerApi.delete, { router_name }),
)

const setStatus = onRouter(null, (fixtures, router_name) => {
  const isEnabled = fixtures.rows.routers.find(({ name }) => name === router_name)?.status === 1
  return send(fixtures, routerApi.updateStatus, { router_name, status: isEnabled ? 0 : 1 }, false)
})

const resend = onRouter(ROUTER_TYPE.hardware, (fixtures, router_name) =>
  send(fixtures, routerApi.resend, { router_name }),
)

const resendAll = onNetwork((fixtures, { number }) =>
  send(fixtures, networkApi.reSendConfig, { network_number: number }),
)

const editSign: Write = (fixtures) => send(fixtures, accountApi.editSign, { sign: `s${mark()}` })

const logout: Write = async ({ guests }) => {
  const guest = pick(guests)
  if (!guest) return null
  const answer = await guest.ask(loginApi.logout, {})
  return { path: loginApi.logout.path, isAudited: false, answer, ended: guest.id }
}

const WEIGHTS: readonly (readonly [Write, number])[] = [
  [create, 3],
  [remove, 3],
  [rename, 3],
  [ciphers, 3],
  [edit, 5],
  [addMember, 6],
  [removeMember, 5],
  [note, 3],
  [deleteRouter, 3],
  [claim, 4],
  [addSoftware, 1],
  [deleteSoftware, 1],
  [setStatus, 2],
  [resend, 1],
  [resendAll, 1],
  [editSign, 2],
  [logout, 1],
]
const TOTAL = WEIGHTS.reduce((sum, [, weight]) => sum + weight, 0)

/** One random write; null where there is nothing to write it to. */
export function writeAnything(fixtures: Fixtures): Promise<Sent | null> {
  let at = Math.random() * TOTAL
  const [write] = WEIGHTS.find(([, weight]) => (at -= weight) < 0) ?? [rename]
  return write(fixtures)
}
