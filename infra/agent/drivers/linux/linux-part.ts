import type { DeviceSettingKey } from '#domain/network/compile/device-settings.ts'
import type { Clock } from '#infra/agent/clock.ts'
import type { Log } from '#infra/agent/log.ts'
import type { Store } from '#infra/agent/store.ts'
import type { Folders, Target } from '../render/target.ts'
import { checkAddresses } from './address-check.ts'
import { type FrrTool, frrTool } from './frr/frr-tool.ts'
import { LinuxDriver } from './linux-driver.ts'
import { nftTool } from './nft/nft-tool.ts'
import type { AuthorizeDial } from './openvpn/admission.ts'
import type { DialSessions } from './openvpn/dial-sessions.ts'
import type { SessionChange } from './openvpn/managed-tunnel.ts'
import { OpenvpnTool, type SoftwareServer } from './openvpn/openvpn-tool.ts'
import { type AnyTool, anyTool } from './plan.ts'
import { type Place, findPlace } from './place.ts'
import type { ProcessTable } from './processes/process-table.ts'
import { type Runner, deviceRunner } from './programs.ts'
import { tcTool } from './tc/tc-tool.ts'
import { namespaceTool, inNamespace } from './pop/namespace-tool.ts'
import type { NetworkNamespace } from './pop/network-namespace.ts'
import type { ProbeSocket } from './pop/probe-socket.ts'

/* Tunnels and routing that run together, with the tools that carry them. */

/** Part of a device: all of it, or one network of a node. */
export interface LinuxPart {
  readonly driver: LinuxDriver
  readonly openvpn: OpenvpnTool
  readonly frr: FrrTool
  /** Programs in its network namespace. */
  readonly runner: Runner
  /** Place of a network; null for one that does not run here. */
  placeOf(number: string): Place | null
}

/** Things that the parts of a device share. */
export interface PartPorts {
  readonly processes: ProcessTable
  readonly clock: Clock
  readonly log: Log
  readonly settings: readonly DeviceSettingKey[]
  readonly authorizeDial: AuthorizeDial
  readonly sessions: DialSessions
  /** A tunnel or session came or went. */
  changed(): void
  sessionsChanged(server: SoftwareServer, change: SessionChange): void
}

interface OwnPorts {
  /** Folder for root alone. */
  readonly state: string
  readonly folders: Folders
  readonly store: Store
  readonly target: Omit<Target, keyof Folders>
  /** Tools beyond OpenVPN, FRR, nftables and tc. */
  readonly tools?: readonly AnyTool[]
  /** Network namespace of a node's network, under its slot. */
  readonly inside?: { readonly slot: number; readonly namespace: NetworkNamespace; readonly probes: ProbeSocket }
}

export function openPart(ports: PartPorts, { state, folders, store, target, tools = [], inside }: OwnPorts): LinuxPart {
  const { processes, log, settings } = ports
  const restarted = () => void driver.refresh()
  const openvpn = new OpenvpnTool({
    ...ports,
    state,
    folders,
    ...(inside && { slot: inside.slot, connected: restarted }),
    restarted,
  })
  const frr = frrTool({
    run: folders.shared,
    ...(inside && { suffix: suffixOf(inside), namespace: () => inside.namespace.requireFile() }),
    processes,
    log,
  })
  const carriers = [anyTool(openvpn), anyTool(frr)]
  const driver = new LinuxDriver({
    tools: inside ? toolsInside(inside, carriers) : [anyTool(nftTool()), ...tools, ...carriers, anyTool(tcTool())],
    store,
    log,
    settings,
    isNode: inside !== undefined,
    readTarget: async () => ({ ...target, ...folders }),
    checkAddresses,
  })
  return {
    driver,
    openvpn,
    frr,
    runner: inside?.namespace.runner ?? deviceRunner,
    placeOf(number) {
      if (!inside) return findPlace(driver.running, number, null)
      const { file } = inside.namespace
      return file === null ? null : findPlace(driver.running, number, file)
    },
  }
}

type Inside = NonNullable<OwnPorts['inside']>

const suffixOf = ({ slot }: Inside): string => `-${slot}`

/** The namespace comes last, because it goes last. */
function toolsInside(inside: Inside, carriers: readonly AnyTool[]): readonly AnyTool[] {
  const { slot, namespace, probes } = inside
  const own = { runner: namespace.runner, suffix: suffixOf(inside) }
  return [
    anyTool(inNamespace(nftTool(own), namespace)),
    ...carriers,
    anyTool(inNamespace(tcTool(own), namespace)),
    anyTool(namespaceTool(slot, namespace, probes)),
  ]
}
