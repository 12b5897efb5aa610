import { accountApi } from '#contract/account/index.ts'
import { WRITE_BUDGET } from '#contract/kernel/limits.ts'
import type { Endpoint, Input } from '#contract/kernel/endpoint.ts'
import { loginApi } from '#contract/login/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { RESULT } from '#contract/kernel/result.ts'
import { routerApi } from '#contract/router/index.ts'
import type { Stack } from '../stack.ts'
import { type AccountRows, type NetworkRow, type RouterRow, readRows } from './rows.ts'
import { type Answer, type Session, openSession } from './session.ts'
import type { Tenant } from './tenants.ts'

interface Write {
  readonly path: string
  /** False where the values may be the present ones: such a write changes and audits nothing. */
  readonly isAudited: boolean
  /** Session that it ends, if it is acknowledged. */
  readonly ended?: string
  send(session: Session): Promise<Answer<unknown>>
}

export interface SentWrite extends Omit<Write, 'send'> {
  readonly answer: Answer<unknown>
}

export const isAcknowledged = ({ answer }: SentWrite): boolean => answer.code === RESULT.ok

const PAUSE_MS = 40
const AWAY_MS = 200
const PASSWORD = 'Kx7mQ2vRw9'
const NETWORKS = { fewest: 2, most: 5 } as const
const FEWEST_ROUTERS = 6
const MOST_SOFTWARE = 4

/** Writes at random until `isDone`, also while the service is away; a new session before the old one has spent its budget. */
export async function runWriter(stack: Stack, tenant: Tenant, isDone: () => boolean): Promise<void> {
  let session: Session | null = null
  for (let written = 0; !isDone();) {
    if (session === null || written >= WRITE_BUDGET.limit) {
      session = await openSession(stack, tenant.username).catch(() => null)
      written = 0
    }
    const sent = session === null || !stack.isUp ? null : await writeOnce(stack, tenant, session)
    if (sent && sent.answer.code !== -1) {
      written += 1
      tenant.sent.push(sent)
    }
    await new Promise((resolve) => setTimeout(resolve, stack.isUp && session !== null ? PAUSE_MS : AWAY_MS))
  }
}

async function writeOnce(stack: Stack, { username, codes, guests }: Tenant, session: Session) {
  const rows = readRows(stack.data, [username]).accounts.get(username)
  const write = rows && chooseWrite({ rows, codes, guests })
  if (!write) return null
  const { send, ...sent } = write
  return { ...sent, answer: await send(session) }
}

interface Choices extends Pick<Tenant, 'codes' | 'guests'> {
  readonly rows: AccountRows
}

const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(Math.random() * items.length)]
const shuffled = <T>(items: readonly T[]): T[] => items.toSorted(() => Math.random() - 0.5)
const mark = (): string => Math.random().toString(36).slice(2, 9).padEnd(7, '0')
const isHardware = ({ routerType }: RouterRow): boolean => routerType === 1
const isAny = (): boolean => true
const isSoftware = ({ routerType }: RouterRow): boolean => routerType === 2

const write = <E extends Endpoint>(spec: E, input: Input<E>, isAudited = true): Write => {
  return { path: spec.path, isAudited, send: (session) => session.ask(spec, input) }
}

type Choose = (choices: Choices) => Write | null

const onNetwork =
  (choose: (network: NetworkRow, choices: Choices) => Write | null): Choose =>
  (choices) => {
    const network = pick(choices.rows.networks)
    return network ? choose(network, choices) : null
  }

const onRouter =
  (isMeant: (router: RouterRow) => boolean, choose: (router: RouterRow, choices: Choices) => Write | null): Choose =>
  (choices) => {
    const router = pick(choices.rows.routers.filter(isMeant))
    return router ? choose(router, choices) : null
  }

function createPlan({ rows }: Choices) {
  const hardware = shuffled(rows.routers.filter(isHardware)).map(({ name }) => name)
  const software = shuffled(rows.routers.filter(isSoftware)).map(({ name }) => name)
  const centers = Math.random() < 0.3 ? 2 : 1
  const points = Math.floor(Math.random() * 6)
  return {
    network_name: `组网${mark()}`,
    center: hardware.slice(0, centers),
    point: [...hardware.slice(centers, centers + points), ...software.slice(0, Math.random() < 0.4 ? 1 : 0)],
  }
}

function editNetwork({ number, revision }: NetworkRow, choices: Choices): Write {
  const plan = { ...createPlan(choices), network_number: number }
  return write(networkApi.edit, Math.random() < 0.5 ? { ...plan, revision } : plan)
}

function addMember({ number, members }: NetworkRow, { rows }: Choices): Write | null {
  const router = pick(rows.routers.filter(({ name }) => !members.some((m) => m.routerName === name)))
  if (!router) return null
  const member_type = isHardware(router) && Math.random() < 0.2 ? 'center' : 'point'
  return write(networkApi.addMember, { network_number: number, router_name: router.name, member_type })
}

function claimRouter({ rows, codes }: Choices): Write | null {
  const [username, code] =
    pick([...codes].filter(([serial]) => !rows.routers.some(({ name }) => name === serial))) ?? []
  if (username === undefined || code === undefined) return null
  return write(routerApi.add, { router_type: 1, username, code, note: `绑定${mark()}` })
}

function signOutGuest({ guests }: Choices): Write | null {
  const guest = pick(guests)
  if (!guest) return null
  const { path } = loginApi.logout
  return { path, isAudited: false, ended: guest.id, send: () => guest.ask(loginApi.logout, {}) }
}

function removeMember({ number, members }: NetworkRow): Write | null {
  const { routerName } = pick(members) ?? {}
  return routerName ? write(networkApi.removeMember, { network_number: number, router_name: routerName }) : null
}

function createNetwork(choices: Choices): Write | null {
  return choices.rows.networks.length >= NETWORKS.most ? null : write(networkApi.create, createPlan(choices))
}

function deleteNetwork({ number }: NetworkRow, { rows }: Choices): Write | null {
  return rows.networks.length <= NETWORKS.fewest ? null : write(networkApi.delete, { network_number: number })
}

const nameNetwork = ({ number }: NetworkRow): Write =>
  write(networkApi.name, { network_number: number, network_name: `改名${mark()}` })

const setCiphers = ({ number, ciphers }: NetworkRow): Write =>
  write(networkApi.ciphers, { network_number: number, ncp_ciphers: ciphers === 'sm' ? 'default' : 'sm' }, false)

function deleteHardware({ name }: RouterRow, { rows }: Choices): Write | null {
  return rows.routers.length <= FEWEST_ROUTERS ? null : write(routerApi.delete, { router_name: name })
}

function addSoftware({ rows }: Choices): Write | null {
  if (rows.routers.filter(isSoftware).length >= MOST_SOFTWARE) return null
  return write(routerApi.add, { router_type: 2, username: `u${mark()}`, password: PASSWORD, area_code: '86' })
}

const switchRouter = ({ name, status }: RouterRow): Write =>
  write(routerApi.updateStatus, { router_name: name, status: status === 1 ? 0 : 1 }, false)

/** Kinds of writes by weight. */
const KINDS: readonly (readonly [weight: number, choose: Choose])[] = [
  [3, createNetwork],
  [3, onNetwork(deleteNetwork)],
  [3, onNetwork(nameNetwork)],
  [3, onNetwork(setCiphers)],
  [5, onNetwork(editNetwork)],
  [6, onNetwork(addMember)],
  [5, onNetwork(removeMember)],
  [3, onRouter(isAny, ({ name }) => write(routerApi.note, { router_name: name, note: `备注${mark()}` }))],
  [3, onRouter(isHardware, deleteHardware)],
  [4, claimRouter],
  [1, addSoftware],
  [1, onRouter(isSoftware, ({ name }) => write(routerApi.delete, { router_name: name }))],
  [2, onRouter(isAny, switchRouter)],
  [1, onRouter(isHardware, ({ name }) => write(routerApi.resend, { router_name: name }))],
  [1, onNetwork(({ number }) => write(networkApi.reSendConfig, { network_number: number }))],
  [2, () => write(accountApi.editSign, { sign: `s${mark()}` })],
  [1, signOutGuest],
]
const TOTAL = KINDS.reduce((sum, [weight]) => sum + weight, 0)

/** A random write; null where there is nothing to write it to. */
function chooseWrite(choices: Choices): Write | null {
  let at = Math.random() * TOTAL
  const kind = KINDS.find(([weight]) => (at -= weight) < 0)
  return kind?.[1](choices) ?? null
}
