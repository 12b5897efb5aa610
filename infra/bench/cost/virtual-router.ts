import { PING, PONG } from '#contract/kernel/protocol.ts'
import { heldCode } from '#infra/agent/hub/activation-code.ts'
import { Agent, type LinkProbe } from '#infra/agent/agent.ts'
import { type AgentSocket, type OpenSocket, openWebSocket } from '#infra/agent/agent-socket.ts'
import { silentLog } from '#infra/agent/log.ts'
import { memoryStore } from '#infra/agent/store.ts'
import { virtualMachine, memoryDriver } from '#infra/simulator/virtual-device.ts'
import type { VirtualClock } from './virtual-clock.ts'

export type MeteredRouter = Awaited<ReturnType<typeof startRouter>>

/** Starts a virtual router of the simulator that runs by the clock of the bench. */
export async function startRouter(origin: string, clock: VirtualClock, serial: string, code: string) {
  let line: { socket: AgentSocket; lost: () => void } | null = null
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
    { servers: [origin], serial, activationCode: heldCode(code), version: 'bench' },
    {
      clock,
      random: Math.random,
      machine: virtualMachine(
        { serial, model: 'NL-R220', lan: [`10.1.${Number(serial.slice(-4))}.1/24`], peakMbps: 50 },
        clock,
      ),
      driver: memoryDriver(),
      store: memoryStore(),
      openSocket,
      fetch,
      prober: reachableLinks(),
      log: silentLog,
    },
  )
  return {
    serial,
    isUp: () => agent.isUp,
    /** Drops the connection; the agent reconnects by itself. */
    drop: () => {
      line?.socket.close(3000, 'line lost')
      line?.lost()
    },
    stop: () => agent.stop(),
  }
}

/** Link probes that report every link of the document as up. */
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
    takeSums: () => new Map(),
    disconnect: async () => [],
    restart: async () => [],
  }
}
