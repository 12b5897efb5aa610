import { type LinkReport, PING, PONG } from '#contract/kernel/protocol.ts'
import { PROBE } from '#contract/kernel/hub-limits.ts'
import { heldCode } from '#infra/agent/hub/activation-code.ts'
import { Agent, type LinkProbe } from '#infra/agent/agent.ts'
import { type AgentSocket, type OpenSocket, openWebSocket } from '#infra/agent/agent-socket.ts'
import { silentLog } from '#infra/agent/log.ts'
import type { LinkEnd } from '#infra/agent/probe/prober.ts'
import { memoryStore } from '#infra/agent/store.ts'
import { createProfile, virtualMachine, memoryDriver } from '#infra/simulator/virtual-device.ts'
import { virtualLinkCounters, virtualTrunkCounters } from '#infra/simulator/virtual-links.ts'
import type { VirtualClock } from './virtual-clock.ts'

/* Virtual routers for the bench of costs: agents of the simulator that run by its clock, with tunnels that it cuts. */

export type MeteredRouter = Awaited<ReturnType<typeof startRouter>>

const PEAK_MBPS = 50
const RTT_MS = 10

export async function startRouter(origin: string, clock: VirtualClock, serial: string, code: string) {
  let line: { socket: AgentSocket; lost: () => void } | null = null
  let isCut = false
  const openSocket: OpenSocket = (url, headers, events) => {
    if (isCut) throw new Error('the line is cut')
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
    return {
      ...socket,
      send: (text) => clock.send(() => socket.send(text), text === PING),
      close: (closeCode, reason) => !isCut && socket.close(closeCode, reason), // a line that is cut carries no close
    }
  }
  const links = measuredLinks(clock)
  const driver = memoryDriver()
  const profile = createProfile(serial, PEAK_MBPS)
  const agent = await Agent.start(
    { servers: [origin], serial, activationCode: heldCode(code), version: 'bench' },
    {
      clock,
      random: Math.random,
      machine: virtualMachine(
        { serial, model: 'NL-R220', lan: [`10.1.${Number(serial.slice(-4))}.1/24`], peakMbps: PEAK_MBPS },
        clock,
      ),
      driver,
      linkCounters: virtualLinkCounters(profile, clock, driver.running),
      trunkCounters: virtualTrunkCounters(profile, clock, driver.running),
      store: memoryStore(),
      openSocket,
      fetch,
      prober: links,
      log: silentLog,
    },
  )
  return {
    serial,
    isUp: () => agent.isUp,
    /** Ids of its links, by the document that it runs. */
    linkIds: links.ids,
    /** Its own verdict on links, as of the other end of one that was cut. */
    setLinks: links.set,
    /** Cuts the line without a close, until it is mended; the service learns of it by silence. */
    cut: () => {
      isCut = true
      line?.lost()
    },
    mend: () => {
      isCut = false
    },
    /** Drops the connection; the agent reconnects by itself. */
    drop: () => {
      line?.socket.close(3000, 'line lost')
      line?.lost()
    },
    stop: () => agent.stop(),
  }
}

/** Probes of links that are up until they are cut, one every `PROBE.intervalMs`, and their sums. */
function measuredLinks(clock: VirtualClock) {
  let ends: readonly LinkEnd[] = []
  let isUp = new Map<string, boolean>()
  let onChanged: (changed: LinkReport[]) => void = () => {}
  const since = clock.now()
  const report = ({ id }: LinkEnd): LinkReport => {
    const up = isUp.get(id) ?? true
    return { id, up, rtt_ms: up ? RTT_MS : null, tunnel: { loss: 0 } }
  }
  const sums = () => {
    const asked = Math.floor((clock.now() - since) / PROBE.intervalMs)
    return { asked, lost: 0, rtt_sum_ms: asked * RTT_MS, rtt_max_ms: RTT_MS }
  }
  const probe: LinkProbe = {
    port: 0,
    reports: () => ends.map(report),
    watch(_, watched, changed) {
      ends = watched
      onChanged = changed
      changed(ends.map(report))
    },
    takeSums: () => new Map(ends.filter(({ role }) => role === 'client').map(({ id }) => [id, sums()])),
    disconnect: async () => [],
    restart: async () => [],
  }
  return {
    ...probe,
    ids: () => ends.map(({ id }) => id),
    set(ids: readonly string[], up: boolean): void {
      const moved = ends.filter(({ id }) => ids.includes(id))
      isUp = new Map([...isUp, ...moved.map(({ id }) => [id, up] as const)])
      if (moved.length > 0) onChanged(moved.map(report))
    },
  }
}
