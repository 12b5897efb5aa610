import type { WebSocket } from 'ws'
import { FRAME_MAX_BYTES, SOCKET_GUARD } from '#contract/kernel/hub-limits.ts'
import { type AgentFrame, type InterfaceInfo, LINKS_PER_FRAME, hubFrame } from '#contract/kernel/protocol.ts'
import type { DeviceIdentity } from '#infra/agent/identity.ts'
import { connectDevice, createHello } from './device.ts'
import type { Server } from './stack.ts'

/** What the device fills its frames with. `clock` before `counters`, whose names use up those of the day. */
export const ATTACKS = ['links', 'clock', 'counters', 'facts'] as const
export type Attack = (typeof ATTACKS)[number]

export interface HostileDevice {
  /** Until `stop`: `framesPerSecond` frames at the beginning of each second, each as long as it may be. */
  start(attack: Attack, framesPerSecond: number): void
  stop(): void
  close(): void
}

type Desired = { readonly version: number; readonly hash: string }

const NAME_CHARS = 32
const LINK_ID_CHARS = 160
const NAMES = 64
/** How soon a device whose socket was closed for its frames comes back. */
const RETURN_MS = 200
const SECOND_MS = 1_000
const CLOCK_STEP_MS = 7_200_000

/** `linkIds`: those of its own document, which its reports move to and fro. */
export async function openHostileDevice(
  stack: Server,
  identity: DeviceIdentity,
  serial: string,
  linkIds: readonly string[],
): Promise<HostileDevice> {
  let socket: WebSocket | null = null
  let desired: Desired = { version: 0, hash: '' }
  let [sent, isClosed] = [0, false]
  let timer: ReturnType<typeof setTimeout> | undefined

  const connect = async (): Promise<void> => {
    socket = await connectDevice(stack, identity)
    socket.on('error', () => {})
    socket.on('message', (data) => {
      const frame = hubFrame.safeParse(JSON.parse(String(data))).data
      if (frame?.t === 'welcome') desired = frame.desired ?? desired
      if (frame?.t === 'config') desired = frame
    })
    socket.on('close', () => setTimeout(() => !isClosed && void connect().catch(() => {}), RETURN_MS))
    socket.send(toText(createHello(serial)))
  }
  const burst = (attack: Attack, frames: number): void => {
    timer = setTimeout(() => burst(attack, frames), SECOND_MS - (Date.now() % SECOND_MS))
    for (let i = 0; i < frames && socket?.readyState === 1; i++)
      socket.send(toText(createFrame[attack](sent++, { serial, linkIds, desired })))
  }
  await connect()
  return {
    start: (attack, framesPerSecond) => {
      timer = setTimeout(() => burst(attack, framesPerSecond), SECOND_MS - (Date.now() % SECOND_MS))
    },
    stop: () => clearTimeout(timer),
    close: () => {
      isClosed = true
      clearTimeout(timer)
      socket?.terminate()
    },
  }
}

/** The hub counts a hello and a frame that it ignores, too. */
export const FRAME_LIMIT = SOCKET_GUARD.framesPerSecond

interface Own {
  readonly serial: string
  readonly linkIds: readonly string[]
  readonly desired: Desired
}

const createFrame: Readonly<Record<Attack, (n: number, own: Own) => AgentFrame>> = {
  /** Its own links, which turn each time, and such as are in no document. */
  links: (n, { linkIds }) => {
    const up = n % 4 < 2
    const own = linkIds.slice(0, LINKS_PER_FRAME).map((id) => ({ id, up, rtt_ms: up ? n : null }))
    const madeUp = (i: number) => ({ id: `${n}:${i}:`.padEnd(LINK_ID_CHARS, 'x'), up, rtt_ms: i })
    return { t: 'links', links: n % 2 === 0 ? own : Array.from({ length: LINKS_PER_FRAME }, (_, i) => madeUp(i)) }
  },
  /** Names that were never there before, and a document that comes and goes. */
  counters: (n, { desired }) => ({
    t: 'counters',
    boot_id: 'bench',
    at: n * SECOND_MS,
    applied: n % 2 === 0 ? { version: desired.version, hash: desired.hash } : null,
    interfaces: Object.fromEntries(
      Array.from({ length: NAMES }, (_, i) => [`${n}-${i}-`.padEnd(NAME_CHARS, 'x'), { rx: n * 1e6, tx: n * 1e6 }]),
    ),
  }),
  /** Names that stay, volumes below the highest rate, and a clock that runs two hours ahead each time: rows of hours. */
  clock: (n) => ({
    t: 'counters',
    boot_id: 'bench-clock',
    at: n * CLOCK_STEP_MS,
    applied: null,
    interfaces: Object.fromEntries(
      Array.from({ length: NAMES }, (_, i) => [`eth${i}-`.padEnd(NAME_CHARS, 'x'), { rx: n * 1e11, tx: n * 1e11 }]),
    ),
  }),
  /** Addresses, ports and results, each of which is shown, saved or compiled into documents of others. */
  facts: (n, { serial, desired: { version, hash } }) => {
    if (n % 3 === 0) return createHello(serial, { probe_port: 40_000 + (n % 999), interfaces: createInterfaces(n) })
    if (n % 3 === 1) return { t: 'interfaces', interfaces: createInterfaces(n) }
    const log = 'x'.repeat(1_024)
    return { t: 'config_result', version, hash, state: n % 2 === 0 ? 'failed' : 'applied', reason: `第${n}次`, log }
  },
}

const createInterfaces = (n: number): InterfaceInfo[] =>
  Array.from({ length: NAMES }, (_, i) => ({
    interface: `eth${i}-`.padEnd(NAME_CHARS, 'x'),
    interface_uuid: String(i),
    protocol: 'static',
    role: i === 0 ? 'wan' : 'lan',
    ip: `10.${n % 256}.${i}.1`,
    mask: 24,
    mac: '02:00:00:00:00:00',
    mtu: 1_500,
    up: true,
  }))

/** Blanks are JSON, too. */
const toText = (frame: AgentFrame): string => JSON.stringify(frame).padEnd(FRAME_MAX_BYTES, ' ')
