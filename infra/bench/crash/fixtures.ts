import type { Endpoint, Input } from '#contract/kernel/endpoint.ts'
import { opsApi } from '#contract/ops/index.ts'
import type { LiveTarget } from '#lib/live-socket.ts'
import { callEndpoint } from '#infra/local/api.ts'
import type { Stack } from '../stack.ts'
import { type Session, openSession } from './api.ts'
import { ConsoleSocket } from './console-socket.ts'
import { type AccountRows, readRows } from './rows.ts'
import { SimulatedDevices } from './simulated-devices.ts'
import type { Account } from './writers.ts'
import { accountApi } from '#contract/account/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'

const USERNAMES = ['crash01', 'crash02'] as const
const PASSWORD = 'Crash2026'
/** Of each account: claimed at the start, one of them never on, and free to be claimed. */
const DEVICES = { claimed: 9, free: 2 } as const
const NETWORKS = 3
const GUESTS = 2
const YEAR_MS = 365 * 86_400_000

/** Two tenants with their devices. */
export interface Fixtures {
  readonly accounts: readonly Account[]
  readonly devices: SimulatedDevices
  readonly neverOn: ReadonlySet<string>
}

export async function createFixtures(stack: Stack): Promise<Fixtures> {
  const accounts = []
  for (const username of USERNAMES) accounts.push(await createAccount(stack, username))
  const devices = new SimulatedDevices(stack.origin, new Map(accounts.flatMap(({ codes }) => [...codes])))
  const neverOn = new Set(accounts.flatMap(({ codes }) => [...codes.keys()].slice(0, 1)))
  for (const { codes } of accounts) {
    for (const serial of codes.keys()) if (!neverOn.has(serial)) await devices.start(serial)
  }
  return { accounts, devices, neverOn }
}

async function createAccount(stack: Stack, username: string): Promise<Account> {
  const ops = <E extends Endpoint>(spec: E, input: Input<E>) =>
    callEndpoint(stack.origin, '/ops/v1', spec, input, stack.operatorToken)
  await ops(opsApi.createAccount, {
    username,
    password: PASSWORD,
    nickname: '停机测试',
    email: `${username}@crash.example`,
  })
  const term = { start_time: Date.now(), expired_time: Date.now() + YEAR_MS, account: username }
  await ops(opsApi.setService, { ...term, kind: 'network_member', name: '成员', quantity: 200 })
  await ops(opsApi.setService, { ...term, kind: 'center', name: '中心点', quantity: 50 })
  await ops(opsApi.setService, { ...term, kind: 'software_member', name: '软件', quantity: 10 })
  const codes = new Map<string, string>()
  for (let n = 0; n < DEVICES.claimed + DEVICES.free; n++) {
    const device = { serial: `NL${username.toUpperCase()}${String(n).padStart(2, '0')}`, model: 'NL-R220' }
    codes.set(device.serial, (await ops(opsApi.provisionDevice, device)).activation_code)
  }
  const session = await openSession(stack, username)
  await session.ask(accountApi.editSign, { sign: username })
  const claimed = [...codes].slice(0, DEVICES.claimed)
  for (const [serial, code] of claimed) await session.ask(routerApi.add, { router_type: 1, username: serial, code })
  const software = { router_type: 2, username: 'first', password: PASSWORD } as const
  await session.ask(routerApi.add, software)
  const names = claimed.map(([serial]) => serial)
  for (let n = 0; n < NETWORKS; n++) {
    const [center = '', ...point] = names.slice(n * 2, n * 2 + 4)
    await session.ask(networkApi.create, { network_name: `组网${n}`, center: [center], point })
  }
  return { username, codes, guests: [], sent: [] }
}

/** What is open in the browsers of an account during one round. */
export interface Consoles {
  readonly session: Session
  readonly sockets: readonly ConsoleSocket[]
}

/** A session that watches the account, its networks and two routers, and guests whom a writer may sign out. */
export async function openConsoles(stack: Stack, account: Account): Promise<Consoles> {
  const rows = accountRows(stack, account)
  const session = await openSession(stack, account.username)
  account.guests.length = 0
  for (let n = 0; n < GUESTS; n++) account.guests.push(await openSession(stack, account.username))
  const routers = rows.routers.filter(({ routerType }) => routerType === 1).toSorted(() => Math.random() - 0.5)
  const targets: (readonly [LiveTarget, string])[] = [
    [{ kind: 'account' }, ''],
    ...rows.networks.map(({ number, hub }) => [{ kind: 'network', network_number: number }, hub] as const),
    ...routers.slice(0, 2).map(({ name, hub }) => [{ kind: 'router', router_name: name }, hub] as const),
  ]
  const open =
    (who: Session) =>
    ([target, hub]: readonly [LiveTarget, string]) =>
      new ConsoleSocket(stack.origin, who, target, hub)
  const guests = account.guests.flatMap((guest) => targets.slice(0, 2).map(open(guest)))
  return { session, sockets: [...targets.map(open(session)), ...guests] }
}

export function accountRows({ data }: Stack, { username }: Account): AccountRows {
  const rows = readRows(data, [username]).accounts.get(username)
  if (!rows) throw new Error(`no account ${username}`)
  return rows
}
