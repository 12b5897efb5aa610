import { join } from 'node:path'
import type { LinkCounters, TrunkCounters } from '#contract/device/counters.ts'
import type { Log } from '#infra/agent/log.ts'
import type { Clock } from '#infra/agent/clock.ts'
import type { DialSource } from '#infra/agent/reports/dial-reporter.ts'
import type { Store } from '#infra/agent/store.ts'
import { checkAddresses } from './address-check.ts'
import { dnsmasqTool } from './dnsmasq/dnsmasq-tool.ts'
import { type FrrTool, frrTool } from './frr/frr-tool.ts'
import { ipTool } from './ip/ip-tool.ts'
import { watchInterfaces } from './interface-watch.ts'
import { linkCounterReader, trunkCounterReader } from './link-counters.ts'
import { LinuxDriver } from './linux-driver.ts'
import type { AuthorizeDial } from './openvpn/admission.ts'
import { DialSessions } from './openvpn/dial-sessions.ts'
import { TunnelDials } from './openvpn/tunnel-dials.ts'
import { offeredSettings } from './openvpn/offered-settings.ts'
import { prepareShared } from './openvpn/tunnel-files.ts'
import { OpenvpnTool } from './openvpn/openvpn-tool.ts'
import { nftTool } from './nft/nft-tool.ts'
import { anyTool } from './plan.ts'
import { ProcessTable } from './processes/process-table.ts'
import { tcTool } from './tc/tc-tool.ts'

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
}

export interface LinuxDevice {
  readonly driver: LinuxDriver
  readonly openvpn: OpenvpnTool
  readonly frr: FrrTool
  readonly dials: DialSource
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
  const { state, run, wan, lan, probePort, store, clock, log, authorizeDial } = options
  const folders = { keys: join(state, 'keys'), shared: run }
  await prepareShared(folders)
  const processes = await ProcessTable.open(join(state, 'processes.json'), log)
  const listeners: (() => void)[] = []
  const changed = () => listeners.forEach((listener) => listener())
  const restarted = () => void driver.refresh()
  const dials = new TunnelDials({
    clock,
    end: (...sessions) => openvpn.endDials(...sessions),
    refresh: () => openvpn.refreshSessions(),
  })
  const openvpn = new OpenvpnTool({
    state,
    folders,
    processes,
    log,
    authorizeDial,
    sessions: await DialSessions.open(store, log),
    changed,
    restarted,
    sessionsChanged: (server, change) => dials.take(server, change),
  })
  const frr = frrTool({ run, processes, log })
  const driver = new LinuxDriver({
    tools: [
      anyTool(nftTool()),
      anyTool(ipTool(join(state, 'sysctls.json'))),
      anyTool(openvpn),
      anyTool(frr),
      anyTool(dnsmasqTool({ run, processes, log })),
      anyTool(tcTool()),
    ],
    store,
    log,
    settings: await offeredSettings(),
    readTarget: async () => ({ wan, lan, probePort, ...folders }),
    checkAddresses,
  })
  const watch = watchInterfaces(() => void driver.refresh())
  const counted = { clock, rendering: () => driver.running, running: () => processes.running() }
  return {
    driver,
    openvpn,
    frr,
    dials,
    readLinkCounters: linkCounterReader(counted),
    readTrunkCounters: trunkCounterReader(counted),
    onChange: (listener) => listeners.push(listener),
    close() {
      watch.close()
      driver.close()
      openvpn.close()
      processes.close()
    },
  }
}
