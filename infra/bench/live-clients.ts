import { WebSocket } from 'ws'
import { PROTOCOL_VERSION, STREAM } from '#contract/kernel/hub-limits.ts'
import { opsApi } from '#contract/ops/index.ts'
import type { AgentFrame, InterfaceInfo, ViewerFrame } from '#contract/kernel/protocol.ts'
import { routerApi } from '#contract/router/index.ts'
import { heldCode } from '#infra/agent/hub/activation-code.ts'
import { systemClock } from '#infra/agent/clock.ts'
import { DeviceIdentity } from '#infra/agent/hub/identity.ts'
import { silentLog } from '#infra/agent/log.ts'
import { memoryStore } from '#infra/agent/store.ts'
import { type Call, callEndpoint } from '#infra/local/api.ts'
import { type LiveTarget, liveAddress } from '#lib/live/live-stream.ts'
import { openConsole, operatorCalls } from './account.ts'
import type { Server } from './stack.ts'

/* Clients for benches of live sockets: viewers like a console, and devices. */

/** Called with each message, and with its frame unless it is a pong. */
type Receive = (text: string, frame: ViewerFrame | null) => void

/** Opens a live socket that acknowledges frames as a console does: each one, but of traffic every third. */
export async function openViewer(
  origin: string,
  token: string,
  target: LiveTarget,
  receive: Receive,
  send: (socket: WebSocket, text: string) => void = (socket, text) => socket.send(text),
): Promise<WebSocket> {
  const { ticket } = await callEndpoint(origin, '/api/v1', routerApi.trafficTicket, target, token)
  const socket = new WebSocket(liveAddress(origin, target, ticket), { origin })
  let unacknowledged = 0
  socket.on('message', (data) => {
    const text = String(data)
    const frame = text.startsWith('{') ? (JSON.parse(text) as ViewerFrame) : null
    receive(text, frame)
    if (frame === null) return
    unacknowledged += 1
    if (frame.type === 'interface' && unacknowledged < STREAM.ackFrames) return
    unacknowledged = 0
    send(socket, JSON.stringify({ type: 'ack', seq: frame.seq }))
  })
  return opened(socket)
}

export const opened = (socket: WebSocket): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket))
    socket.once('error', reject)
  })

const MODEL = 'NL-R220'

/** Opens a claimed device that sends counters on demand, so that the measurement sets the pace. */
export async function openDevice(server: Server, account: string, names: readonly string[]) {
  const { origin } = server
  const serial = `NLBENCH${Math.floor(performance.now())}`
  const identity = await DeviceIdentity.load({
    clock: systemClock,
    store: memoryStore(),
    log: silentLog,
    fetch,
    server: () => origin,
    serial,
    activationCode: heldCode(await claimDevice(server, serial, openConsole(server, account))),
  })
  const address = `${origin.replace('http', 'ws')}/device/v1/connect`
  const socket = await opened(new WebSocket(address, { headers: await identity.authorize() }))
  const send = (frame: AgentFrame) => socket.send(JSON.stringify(frame))
  send(createHello(serial, names))
  let bytes = 0
  return {
    serial,
    sendCounters: () => {
      bytes += 125_000
      const interfaces = Object.fromEntries(names.map((name) => [name, { rx: bytes, tx: bytes / 4 }]))
      send({ t: 'counters', boot_id: 'bench', at: performance.now(), applied: null, interfaces })
    },
    close: () => socket.close(),
  }
}

/** First frame of a device with these interfaces, without a document. */
export const createHello = (serial: string, names: readonly string[]): AgentFrame => ({
  t: 'hello',
  protocol: PROTOCOL_VERSION,
  serial,
  boot_id: 'bench',
  agent_version: 'bench',
  model: MODEL,
  mac: '',
  capabilities: [],
  applied: null,
  interfaces: names.map(createInterface),
  probe_port: 0,
})

/** Provisions a device and claims it for the account of the calls; returns its activation code. */
export async function claimDevice(server: Server, serial: string, call: Call): Promise<string> {
  const { activation_code: code } = await operatorCalls(server)(opsApi.provisionDevice, { serial, model: MODEL })
  await call(routerApi.add, { router_type: 1, username: serial, code })
  return code
}

const createInterface = (name: string): InterfaceInfo => ({
  interface: name,
  interface_uuid: name,
  protocol: 'dhcp',
  role: 'wan',
  ip: '',
  mask: 24,
  mac: '',
  mtu: 1500,
  up: true,
})
