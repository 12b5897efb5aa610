import { setTimeout as sleep } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import { monitorApi } from '#contract/monitor/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { type ViewerFrame, viewerFrame } from '#contract/kernel/protocol.ts'
import { type ClaimedDevice, claimDevice, createAccount, openConsole, openSession } from '#infra/bench/account.ts'
import { openViewer } from '#infra/bench/live-clients.ts'
import { until } from '#infra/bench/stack.ts'
import type { Call } from '#infra/local/api.ts'
import type { LiveTarget } from '#lib/live/live-stream.ts'
import type { Product } from './product.ts'

/* Customer of a drill: an account with alerts by mail, a network of devices, and consoles that watch them. */

export interface Customer {
  readonly username: string
  readonly email: string
  readonly call: Call
  readonly devices: readonly (ClaimedDevice & { readonly lan: readonly string[] })[]
  readonly network: string
}

const SETTLED_MS = 120_000
const REOPEN_MS = 500

/** Creates the customer; the first devices are the centres of its network. */
export async function createCustomer(
  product: Product,
  { username, centers, points }: { readonly username: string; readonly centers: number; readonly points: number },
): Promise<Customer> {
  const count = centers + points
  const email = `${username}@example.com`
  await createAccount(
    product,
    { username, nickname: '联云科技', password: 'Lianyun2026', email, sign: username.slice(0, 12) },
    { network_member: 2 * count, center: 2 * centers, software_member: 10 },
  )
  const call = openConsole(product, username)
  const devices: Customer['devices'][number][] = []
  for (let n = 0; n < count; n++) {
    const serial = `NL${username.toUpperCase()}${String(n).padStart(2, '0')}`
    const device = await claimDevice(product, call, serial, `门店${n}`)
    devices.push({ ...device, lan: [`10.${100 + Math.floor(n / 200)}.${n % 200}.0/24`] })
  }
  const serials = devices.map(({ serial }) => serial)
  const plan = { network_name: '门店组网', center: serials.slice(0, centers), point: serials.slice(centers) }
  const { network_number } = await call(networkApi.create, plan)
  await call(monitorApi.enable, {})
  const rules = { router_offline: { delay: 1, severity: 'warning' } } as const
  await call(monitorApi.setting, {
    email_confirm: 1,
    webhook_confirm: 0,
    router_online: 0,
    router_offline: 1,
    service_expired: 1,
    pop_connect: 1,
    all_routers: 1,
    router: [],
    rules,
  })
  return { username, email, call, devices, network: network_number }
}

/** Waits until each of these devices is online with its document applied, and all links between them are up. */
export async function untilWell({ call, network }: Customer, serials: readonly string[]): Promise<void> {
  const wanted = new Set(serials)
  let unwell: unknown
  const isWell = async () => {
    const view = await call(networkApi.status, { network_number: network }).catch(() => null)
    const members = view?.members.filter(({ router_name }) => wanted.has(router_name)) ?? []
    const links = view?.link.filter((link) => wanted.has(link.router_name) && wanted.has(link.center_router_name))
    unwell = [
      ...members.filter(({ presence, config }) => presence.state !== 'online' || config.state !== 'applied'),
      ...(links?.filter(({ state }) => state !== 'up') ?? []),
    ].slice(0, 3)
    return members.length === wanted.size && (unwell as unknown[]).length === 0
  }
  await until(isWell, SETTLED_MS).catch((error: unknown) => {
    throw new Error(`not well: ${JSON.stringify(unwell)}`, { cause: error })
  })
}

/** Console that opens its socket again, as a page does, and keeps what it was shown. */
export interface Watcher {
  readonly frames: readonly ViewerFrame[]
  /** Frames that the console of today does not understand, and numbers that fell back. */
  readonly faults: readonly string[]
  readonly isOpen: boolean
  close(): void
}

export async function watch(product: Product, username: string, target: LiveTarget): Promise<Watcher> {
  const token = await openSession(product, username)
  const frames: ViewerFrame[] = []
  const faults: string[] = []
  let socket: WebSocket | null = null
  let isClosed = false
  let seq = 0
  const receive = (text: string, frame: ViewerFrame | null): void => {
    if (frame === null) return
    if (!viewerFrame.safeParse(frame).success) faults.push(text)
    if (frame.seq < seq) faults.push(`${frame.seq} after ${seq}: ${text}`)
    seq = frame.seq
    frames.push(frame)
  }
  const open = async (): Promise<void> => {
    while (!isClosed) {
      try {
        socket = await openViewer(product.origin, token, target, receive)
        seq = 0
        socket.once('close', () => void open())
        return
      } catch {
        await sleep(REOPEN_MS) // the object moves just now
      }
    }
  }
  await open()
  return {
    frames,
    faults,
    get isOpen() {
      return socket?.readyState === 1
    },
    close() {
      isClosed = true
      socket?.terminate()
    },
  }
}

/** Members that a console was shown in another state than online, but for these. */
export const shownAway = ({ frames }: Watcher, left: readonly string[]): string[] =>
  frames.flatMap((frame) => {
    if (frame.type !== 'snapshot' && frame.type !== 'delta') return []
    const away = frame.data.members.filter(({ router_name, presence }) => {
      return !left.includes(router_name) && presence.state !== 'online'
    })
    return away.map(({ router_name, presence }) => `${router_name} ${presence.state} ${presence.reason}`)
  })

/** Versions of documents that each device has received, by the lines of its log. */
export function receivedVersions(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const versions = new Map<string, number[]>()
  for (const line of lines) {
    const [, serial = '', version] = /^\S+ (\S+) config (\d+) received$/.exec(line) ?? []
    if (version !== undefined) versions.set(serial, [...(versions.get(serial) ?? []), Number(version)])
  }
  return versions
}
