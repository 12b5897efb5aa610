import { join } from 'node:path'
import type { LinkCounters, TrunkCounters } from '#contract/device/counters.ts'
import type { Log } from '#infra/agent/log.ts'
import type { Clock } from '#infra/agent/clock.ts'
import type { DialSource } from '#infra/agent/reports/dial-reporter.ts'
import type { Store } from '#infra/agent/store.ts'
import type { Prober } from '#infra/agent/probe/prober.ts'
import type { Driver } from '../driver.ts'
import { dnsmasqTool } from './dnsmasq/dnsmasq-tool.ts'
import type { ChosenRoute } from './frr/chosen-routes.ts'
import { ipTool } from './ip/ip-tool.ts'
import { watchInterfaces } from './interface-watch.ts'
import { linkCounterReader, trunkCounterReader } from './link-counters.ts'
import { type LinuxPart, type PartPorts, openPart } from './linux-part.ts'
import type { AuthorizeDial } from './openvpn/admission.ts'
import { DialSessions } from './openvpn/dial-sessions.ts'
import { TunnelDials } from './openvpn/tunnel-dials.ts'
import { offeredSettings } from './openvpn/offered-settings.ts'
import { prepareShared } from './openvpn/tunnel-files.ts'
import { anyTool } from './plan.ts'
import type { Place } from './place.ts'
import type { Rendering } from './tool.ts'
import { ProcessTable } from './processes/process-table.ts'

/* Wiring of the driver `linux`: its folders, its table of processes and its tools. */

export interface LinuxDeviceOptions {
  /** State folder, for root alone. */
  readonly state: string
  /** Folder that only root writes and others may enter. */
  readonly run: string
  readonly wan: readonly string[]
  readonly lan: readonly string[]
  readonly probePort: number
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly authorizeDial: AuthorizeDial
  /** Prober of a node, which gets a socket in the namespace of each network; absent: nothing probes. */
  readonly prober?: Pick<Prober, 'receiveAt' | 'sendBy'>
}

export interface LinuxDevice {
  readonly driver: Driver
  /** The device as a whole, or the networks of a node. */
  parts(): readonly LinuxPart[]
  readonly dials: DialSource
  /** Place of a network; null for one that does not run. */
  placeOf(number: string): Place | null
  /** Rendering that a network runs in; null for one that does not run. */
  renderingOf(number: string): Rendering | null
  /** Routes that the BGP of a network has chosen; rejects if it does not answer. */
  chosenRoutes(number: string): Promise<readonly ChosenRoute[]>
  /** Counters of the links that it dials. */
  readLinkCounters(): Promise<LinkCounters>
  /** Counters of the interfaces that serve its points, by the network's number. */
  readTrunkCounters(): Promise<TrunkCounters>
  /** Adds a listener of tunnels and sessions that come or go. */
  onChange(listener: () => void): void
  /** Leaves everything running. */
  close(): void
}

export async function openLinuxDevice(options: LinuxDeviceOptions): Promise<LinuxDevice> {
  const { state, run, wan, lan, probePort, store } = options
  const folders = { keys: join(state, 'keys'), shared: run }
  await prepareShared(folders)
  const shared = await openShared(options, () => [part])
  const part: LinuxPart = openPart(shared.ports, {
    state,
    folders,
    store,
    target: { wan, lan, probePort },
    tools: [anyTool(ipTool(join(state, 'sysctls.json'))), anyTool(dnsmasqTool({ run, ...shared.ports }))],
  })
  const watch = watchInterfaces(() => void part.driver.refresh())
  return shared.toDevice(part.driver, () => watch.close())
}

/** Things that the parts of a device share, and the device that they make. */
export interface SharedParts {
  readonly ports: PartPorts
  /** @param close called before the parts are closed. */
  toDevice(driver: Driver, close: () => void): LinuxDevice
}

export async function openShared(
  { state, store, clock, log, authorizeDial }: LinuxDeviceOptions,
  parts: () => readonly LinuxPart[],
): Promise<SharedParts> {
  const processes = await ProcessTable.open(join(state, 'processes.json'), log)
  const listeners: (() => void)[] = []
  /** All parts of a device that is one, or the network of a node. */
  const partsOf = (number: string): readonly LinuxPart[] =>
    parts().filter(({ driver }, _, all) => all.length === 1 || driver.running?.slots.has(number))
  const dials = new TunnelDials({
    clock,
    end: (number, ...session) =>
      Promise.all(partsOf(number).map(({ openvpn }) => openvpn.endDials(number, ...session))),
    refresh: async () => void (await Promise.all(parts().map(({ openvpn }) => openvpn.refreshSessions()))),
  })
  const ports: PartPorts = {
    processes,
    clock,
    log,
    authorizeDial,
    sessions: await DialSessions.open(store, log),
    settings: await offeredSettings(),
    changed: () => listeners.forEach((listener) => listener()),
    sessionsChanged: (server, change) => dials.take(server, change),
  }
  const counted = { clock, parts, running: () => processes.running() }
  return {
    ports,
    toDevice: (driver, close) => ({
      driver,
      parts,
      dials,
      placeOf(number) {
        const places = parts().map((part) => part.placeOf(number))
        return places.find((place) => place !== null) ?? null
      },
      renderingOf: (number) =>
        parts().flatMap(({ driver: { running } }) => (running?.slots.has(number) ? [running] : []))[0] ?? null,
      chosenRoutes: async (number) =>
        parts()
          .find((part) => part.placeOf(number) !== null)
          ?.frr.chosenRoutes() ?? [],
      readLinkCounters: linkCounterReader(counted),
      readTrunkCounters: trunkCounterReader(counted),
      onChange: (listener) => listeners.push(listener),
      close() {
        close()
        for (const part of parts()) {
          part.driver.close()
          part.openvpn.close()
        }
        processes.close()
      },
    }),
  }
}
