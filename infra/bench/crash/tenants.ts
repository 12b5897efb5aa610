import { accountApi } from '#contract/account/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import type { LiveTarget } from '#lib/live/live-stream.ts'
import { createAccount, operatorCalls } from '../account.ts'
import type { Stack } from '../stack.ts'
import { ConsoleSocket } from './console-socket.ts'
import { SimulatedDevices } from './devices.ts'
import { type AccountRows, readRows } from './rows.ts'
import { type Session, openSession } from './session.ts'
import type { SentWrite } from './writers.ts'

const USERNAMES = ['crash01', 'crash02'] as const
const PASSWORD = 'Crash2026'
const QUOTAS = { network_member: 200, center: 50, software_member: 10 } as const
/** Of each tenant: claimed at the start, and free to be claimed. */
const DEVICES = { claimed: 9, free: 2 } as const
const NETWORKS = 3
const GUESTS = 2

export interface Tenant {
  readonly username: string
  /** Activation codes of its devices by serial, claimed or not. */
  readonly codes: ReadonlyMap<string, string>
  /** Sessions with open consoles that a writer may sign out. */
  readonly guests: Session[]
  readonly sent: SentWrite[]
}

export interface Fixtures {
  readonly tenants: readonly Tenant[]
  readonly devices: SimulatedDevices
}

/** Two tenants with their devices. */
export async function createFixtures(stack: Stack): Promise<Fixtures> {
  const tenants: Tenant[] = []
  for (const username of USERNAMES) tenants.push(await createTenant(stack, username))
  const devices = new SimulatedDevices(stack.origin, new Map(tenants.flatMap(({ codes }) => [...codes])))
  return { tenants, devices }
}

async function createTenant(stack: Stack, username: string): Promise<Tenant> {
  await createAccount(stack, { username, password: PASSWORD }, QUOTAS)
  const codes = new Map<string, string>()
  for (let n = 0; n < DEVICES.claimed + DEVICES.free; n++) {
    const serial = `NL${username.toUpperCase()}${String(n).padStart(2, '0')}`
    const provisioned = await operatorCalls(stack)(opsApi.provisionDevice, { serial, model: 'NL-R220' })
    codes.set(serial, provisioned.activation_code)
  }
  const session = await openSession(stack, username)
  await session.ask(accountApi.editSign, { sign: username })
  const claimed = [...codes].slice(0, DEVICES.claimed)
  for (const [serial, code] of claimed) await session.ask(routerApi.add, { router_type: 1, username: serial, code })
  await session.ask(routerApi.add, { router_type: 2, username: 'first', password: PASSWORD })
  const names = claimed.map(([serial]) => serial)
  for (let n = 0; n < NETWORKS; n++) {
    const [center = '', ...point] = names.slice(n * 2, n * 2 + 4)
    await session.ask(networkApi.create, { network_name: `组网${n}`, center: [center], point })
  }
  return { username, codes, guests: [], sent: [] }
}

/** Consoles that are open during one round. */
export interface Consoles {
  readonly session: Session
  readonly sockets: readonly ConsoleSocket[]
}

/** A session that watches the account, its networks and two routers, and guests whom a writer may sign out. */
export async function openConsoles(stack: Stack, tenant: Tenant): Promise<Consoles> {
  const { networks, routers } = tenantRows(stack, tenant)
  const session = await openSession(stack, tenant.username)
  tenant.guests.length = 0
  for (let n = 0; n < GUESTS; n++) tenant.guests.push(await openSession(stack, tenant.username))
  const hardware = routers.filter(({ routerType }) => routerType === 1).toSorted(() => Math.random() - 0.5)
  const targets: (readonly [LiveTarget, string])[] = [
    [{ kind: 'account' }, ''],
    ...networks.map(({ number, hub }) => [{ kind: 'network', network_number: number }, hub] as const),
    ...hardware.slice(0, 2).map(({ name, hub }) => [{ kind: 'router', router_name: name }, hub] as const),
  ]
  const open = (who: Session, of: typeof targets) =>
    of.map(([target, hub]) => new ConsoleSocket(stack.origin, who, target, hub))
  return {
    session,
    sockets: [session, ...tenant.guests].flatMap((who, n) => open(who, n === 0 ? targets : targets.slice(0, 2))),
  }
}

export function tenantRows({ data }: Stack, { username }: Tenant): AccountRows {
  const rows = readRows(data, [username]).accounts.get(username)
  if (!rows) throw new Error(`no account ${username}`)
  return rows
}
