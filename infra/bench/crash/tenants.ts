import { WRITE_BUDGET } from '#contract/kernel/limits.ts'
import type { Endpoint, Input } from '#contract/kernel/endpoint.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { callEndpoint } from '#infra/local/api.ts'
import { type Fleet, startFleet } from '#infra/simulator/fleet.ts'
import { createAccount, openConsole, openSession } from '../account.ts'
import { claimDevice } from '../live-clients.ts'
import type { Stack } from '../stack.ts'
import { type AccountRows, type NetworkRow, readAccount } from './rows.ts'

/* Tenants of the bench of crashes: accounts with devices and networks, and writers that change them at random. */

const USERNAMES = ['crash01', 'crash02'] as const
const PASSWORD = 'Crash2026'
const QUOTAS = { network_member: 200, center: 50 } as const
const DEVICES = 11
const NETWORKS = { first: 3, fewest: 2, most: 5 } as const
/** Part of the range in which an agent draws its delays: after a stop all return within nine seconds, closer together. */
const SHARE_OF_DELAYS = 0.2
const PAUSE_MS = 40
const AWAY_MS = 200

export interface Tenant {
  readonly username: string
  /** Simulated routers, connected all the time. */
  readonly devices: Fleet
  /** Request ids of all writes; empty for a write that was not acknowledged. */
  readonly requestIds: string[]
}

export async function createTenants(stack: Stack): Promise<readonly Tenant[]> {
  const tenants: Tenant[] = []
  for (const username of USERNAMES) tenants.push(await createTenant(stack, username))
  return tenants
}

async function createTenant(stack: Stack, username: string): Promise<Tenant> {
  await createAccount(stack, { username, password: PASSWORD }, QUOTAS)
  const call = openConsole(stack, username)
  const devices: { readonly serial: string; readonly code: string }[] = []
  for (let n = 0; n < DEVICES; n++) {
    const serial = `NL${username.toUpperCase()}${String(n).padStart(2, '0')}`
    devices.push({ serial, code: await claimDevice(stack, serial, call) })
  }
  const names = devices.map(({ serial }) => serial)
  for (let n = 0; n < NETWORKS.first; n++) {
    const [center = '', ...point] = names.slice(n * 2, n * 2 + 4)
    const plan = { network_name: `组网${n}`, center: [center], point }
    await call(networkApi.create, plan)
  }
  const random = () => Math.random() * SHARE_OF_DELAYS
  const fleet = await startFleet({ server: stack.origin, devices, random })
  return { username, devices: fleet, requestIds: [] }
}

/**
 * Writes at random until `isDone`, also while the service is away. Takes a new session before the budget of the old one is
 * spent.
 */
export async function runWriter(stack: Stack, { username, requestIds }: Tenant, isDone: () => boolean): Promise<void> {
  let [token, left] = ['', 0]
  while (!isDone()) {
    if (left === 0) {
      token = await openSession(stack, username).catch(() => '')
      left = token === '' ? 0 : WRITE_BUDGET.limit
    }
    const isReady = stack.isUp && left > 0
    const write = isReady ? chooseWrite(readAccount(stack.data, username)) : null
    if (write) {
      left -= 1
      requestIds.push(await write(stack.origin, token).catch(() => ''))
    }
    await new Promise((resolve) => setTimeout(resolve, isReady ? PAUSE_MS : AWAY_MS))
  }
}

/** Sends a call; answers its request id once it is acknowledged. */
type Write = (origin: string, token: string) => Promise<string>

const write =
  <E extends Endpoint>(spec: E, input: Input<E>): Write =>
  async (origin, token) => {
    let requestId = ''
    await callEndpoint(origin, '/api/v1', spec, input, token, (headers) => {
      requestId = headers.get('x-request-id') ?? ''
    })
    return requestId
  }

const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(Math.random() * items.length)]
const mark = (): string => Math.random().toString(36).slice(2, 9).padEnd(7, '0')

/** Plan of a random network: a name, one or two centres and up to five points. */
function createPlan({ routers }: AccountRows) {
  const names = routers.map(({ name }) => name).toSorted(() => Math.random() - 0.5)
  const centers = Math.random() < 0.3 ? 2 : 1
  const points = Math.floor(Math.random() * 6)
  return {
    network_name: `组网${mark()}`,
    center: names.slice(0, centers),
    point: names.slice(centers, centers + points),
  }
}

function createNetwork(rows: AccountRows): Write | null {
  return rows.networks.length >= NETWORKS.most ? null : write(networkApi.create, createPlan(rows))
}

function deleteNetwork({ number }: NetworkRow, { networks }: AccountRows): Write | null {
  return networks.length <= NETWORKS.fewest ? null : write(networkApi.delete, { network_number: number })
}

const nameNetwork = ({ number }: NetworkRow): Write =>
  write(networkApi.name, { network_number: number, network_name: `改名${mark()}` })

const editNetwork = ({ number }: NetworkRow, rows: AccountRows): Write =>
  write(networkApi.edit, { ...createPlan(rows), network_number: number })

function addMember({ number, members }: NetworkRow, { routers }: AccountRows): Write | null {
  const router = pick(routers.filter(({ name }) => !members.some((member) => member.routerName === name)))
  const member_type = Math.random() < 0.2 ? 'center' : 'point'
  return router ? write(networkApi.addMember, { network_number: number, router_name: router.name, member_type }) : null
}

function removeMember({ number, members }: NetworkRow): Write | null {
  const { routerName } = pick(members) ?? {}
  return routerName ? write(networkApi.removeMember, { network_number: number, router_name: routerName }) : null
}

function noteRouter({ routers }: AccountRows): Write | null {
  const { name } = pick(routers) ?? {}
  return name ? write(routerApi.note, { router_name: name, note: `备注${mark()}` }) : null
}

/** A random write of any kind; null if there is nothing to write to. */
function chooseWrite(rows: AccountRows): Write | null {
  const ofNetwork = pick([deleteNetwork, nameNetwork, editNetwork, editNetwork, addMember, addMember, removeMember])
  const network = pick(rows.networks)
  const choices = [createNetwork(rows), noteRouter(rows), ...(network ? [ofNetwork?.(network, rows)] : [])]
  return pick(choices) ?? null
}
