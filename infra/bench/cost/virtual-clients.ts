import { WebSocket } from 'ws'
import type { Input } from '#contract/kernel/endpoint.ts'
import { CONSOLE_SOCKET } from '#contract/kernel/hub-limits.ts'
import { PING, PONG } from '#contract/kernel/protocol.ts'
import { heldCode } from '#infra/agent/activation-code.ts'
import { Agent } from '#infra/agent/agent.ts'
import type { LinkProbe } from '#infra/agent/agent-ports.ts'
import { type HubSocket, type OpenSocket, openWebSocket } from '#infra/agent/hub-socket.ts'
import { silentLog } from '#infra/agent/log.ts'
import { type Store, memoryStore } from '#infra/agent/store.ts'
import { createAcknowledger } from '../acknowledge.ts'
import { callEndpoint } from '#infra/local/api.ts'
import { memoryDriver } from '#infra/simulator/memory-driver.ts'
import { virtualMachine } from '#infra/simulator/virtual-machine.ts'
import type { VirtualClock } from './virtual-clock.ts'
import { routerApi } from '#contract/router/index.ts'

export interface Device {
  readonly serial: string
  readonly code: string
  readonly lan: string
}

/** A virtual router of the simulator whose time is the bench's. */
export interface MeteredRouter {
  readonly serial: string
  readonly isUp: () => boolean
  /** Drops the connection; the agent reconnects by itself. */
  drop(): void
  stop(): Promise<void>
}

const stores = new Map<string, Store>()

export async function startRouter(origin: string, clock: VirtualClock, device: Device): Promise<MeteredRouter> {
  const { serial, code, lan } = device
  const store = stores.get(serial) ?? memoryStore()
  stores.set(serial, store)
  let line: { socket: HubSocket; lost: () => void } | null = null
  const openSocket: OpenSocket = (url, headers, events) => {
    clock.noteOpening(1)
    let isOpening = true
    const settled = () => {
      if (isOpening) clock.noteOpening(-1)
      isOpening = false
    }
    const closed = (closeCode: number, reason: string) => {
      settled()
      clock.noteClosed()
      events.closed(closeCode, reason)
    }
    const socket = openWebSocket(url, headers, {
      opened: () => {
        settled()
        events.opened()
      },
      message: (text) => {
        if (text === PONG) clock.notePong()
        events.message(text)
      },
      closed,
    })
    line = { socket, lost: () => closed(1006, '') }
    return { ...socket, send: (text) => clock.send(() => socket.send(text), text === PING) }
  }
  const agent = await Agent.start(
    {
      server: origin,
      serial,
      activationCode: heldCode(code),
      version: 'bench',
    },
    {
      clock,
      random: Math.random,
      machine: virtualMachine({ serial, model: 'VR-100', lan: [lan], peakMbps: 50 }, clock),
      driver: memoryDriver(),
      store,
      openSocket,
      fetch,
      prober: reachableLinks(),
      log: silentLog,
    },
  )
  return {
    serial,
    isUp: () => agent.isUp,
    drop: () => {
      line?.socket.close(3000, 'line lost')
      line?.lost()
    },
    stop: () => agent.stop(),
  }
}

/** Every link that a document names is up: what a network at rest reports. */
function reachableLinks(): LinkProbe {
  let ids: readonly string[] = []
  const reports = () => ids.map((id) => ({ id, up: true, rtt_ms: 10 }))
  return {
    port: 0,
    reports,
    watch(_, ends, changed) {
      ids = ends.map(({ id }) => id)
      changed(reports())
    },
    restart: () => {},
  }
}

type TicketRequest = Input<typeof routerApi.trafficTicket>

/** A console that watches: it acknowledges as the page does and pings as a page does. */
export async function openViewer(
  origin: string,
  clock: VirtualClock,
  token: string,
  request: TicketRequest,
): Promise<() => void> {
  const { ticket } = await callEndpoint(origin, '/api/v1', routerApi.trafficTicket, request, token)
  const path = { router: 'router/traffic', network: 'network/live', account: 'account/live' }[request.kind]
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/v1/${path}?ticket=${ticket}`, { origin })
  const acknowledge = createAcknowledger((text) => clock.send(() => socket.send(text), false))
  let cancelPing = (): void => {}
  const ping = () => {
    clock.send(() => socket.send(PING), true)
    cancelPing = clock.after(CONSOLE_SOCKET.pingMs, ping)
  }
  socket.on('message', (data) => {
    const text = String(data)
    if (text === PONG) return clock.notePong()
    acknowledge(JSON.parse(text) as { type: string; seq: number })
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', reject)
  })
  cancelPing = clock.after(CONSOLE_SOCKET.pingMs, ping)
  return () => {
    cancelPing()
    socket.close()
    clock.noteClosed()
  }
}
