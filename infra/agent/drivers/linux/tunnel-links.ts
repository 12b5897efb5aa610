import type { Clock } from '#infra/agent/clock.ts'
import type { LinkProbe } from '#infra/agent/agent.ts'
import type { LinkEnd } from '#infra/agent/probe/prober.ts'
import type { LinuxDevice } from './linux-device.ts'
import type { LinuxPart } from './linux-part.ts'
import { StuckSessions } from './frr/stuck-sessions.ts'
import { LINK_REASON, type LinkState, linkDevices, linkStates } from './link-states.ts'
import { TunnelProbe } from './tunnel-probe.ts'

/** Link reports of a device that runs its tunnels. */
export function tunnelLinks(
  { parts, onChange }: Pick<LinuxDevice, 'parts' | 'onChange'>,
  prober: LinkProbe,
  clock: Clock,
): LinkProbe {
  const networkOf = (id: string): string => id.slice(0, id.indexOf(':')) // worker/domain/network/members/links.ts
  /** A session that does not end shows in the link's state. */
  const end = async ({ id, peer }: LinkEnd): Promise<boolean> => {
    const ended = await Promise.all(
      parts().map(({ openvpn }) => openvpn.disconnect(networkOf(id), peer).catch(() => false)),
    )
    return ended.includes(true)
  }
  const disconnect = async (ends: readonly LinkEnd[]): Promise<readonly string[]> => {
    const servers = ends.filter(({ role }) => role === 'server')
    const ended = await Promise.all(servers.map(end))
    return servers.filter((_, index) => ended[index]).map(({ id }) => id)
  }
  const reader = new StateReader(clock)
  return new TunnelProbe({
    prober,
    clock,
    onChange: (listener) => onChange(listener),
    async readStates(): Promise<ReadonlyMap<string, LinkState>> {
      const states = await Promise.all(parts().map((part) => reader.read(part)))
      return new Map(states.flatMap((each) => [...each]))
    },
    disconnect,
    async restart(ends) {
      const exhausted = new Set(parts().flatMap(exhaustedLinks))
      const hasGivenUp = ({ id }: LinkEnd) => exhausted.has(id)
      const networks = new Set(ends.map(({ id }) => networkOf(id)))
      const [ended] = await Promise.all([
        disconnect(ends.filter((each) => !hasGivenUp(each))),
        ...[...networks].flatMap((network) => parts().map(({ openvpn }) => openvpn.reset(network))),
      ])
      const restarted = new Set([...ended, ...ends.filter(hasGivenUp).map(({ id }) => id)])
      return ends.map(({ id }) => id).filter((id) => restarted.has(id))
    },
  })
}

/** Links whose processes have given up. */
function exhaustedLinks({ driver, openvpn }: LinuxPart): readonly string[] {
  const exhausted = openvpn.exhausted()
  if (driver.running === null || exhausted.size === 0) return []
  return [...linkDevices(driver.running)].flatMap(([id, device]) => (exhausted.has(device) ? [id] : []))
}

/** Reads the states of the links of each part, and lets sessions begin anew that are missing over tunnels that stand. */
class StateReader {
  private readonly clock: Clock
  private readonly stuck = new WeakMap<LinuxPart, StuckSessions>()

  constructor(clock: Clock) {
    this.clock = clock
  }

  /** A part whose daemons do not answer has no states. */
  async read(part: LinuxPart): Promise<ReadonlyMap<string, LinkState>> {
    const { driver, openvpn, frr } = part
    const rendering = driver.running
    if (rendering === null) return new Map()
    const established = await frr.establishedPeers().catch(() => undefined)
    if (established === undefined) return new Map()
    const states = linkStates(rendering, {
      tunnel: (name) => openvpn.tunnel(name),
      exhausted: openvpn.exhausted(),
      waiting: openvpn.waiting(),
      established,
    })
    this.clearStuck(part, states)
    return states
  }

  private clearStuck(part: LinuxPart, states: ReadonlyMap<string, LinkState>): void {
    const links = part.driver.running?.document.networks.flatMap((network) => network.links) ?? []
    const missing = links.filter(({ id }) => states.get(id)?.tunnel.reason === LINK_REASON.noSession)
    const sessions = this.stuck.get(part) ?? new StuckSessions()
    this.stuck.set(part, sessions)
    const stuck = sessions.take(new Set(missing.map(({ remote_ip }) => remote_ip)), this.clock.monotonic())
    if (stuck.length > 0) void part.frr.clearSessions(stuck).catch(() => {}) // a later read finds them again
  }
}
