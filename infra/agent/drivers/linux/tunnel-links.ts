import type { Clock } from '#infra/agent/clock.ts'
import type { LinkProbe } from '#infra/agent/agent.ts'
import type { LinkEnd } from '#infra/agent/probe/prober.ts'
import type { LinuxDevice } from './linux-device.ts'
import { StuckSessions } from './frr/stuck-sessions.ts'
import { LINK_REASON, type LinkState, linkDevices, linkStates } from './link-states.ts'
import { TunnelProbe } from './tunnel-probe.ts'

/** Link reports of a device that runs its tunnels. */
export function tunnelLinks(device: LinuxDevice, prober: LinkProbe, clock: Clock): LinkProbe {
  const { driver, openvpn, frr } = device
  const networkOf = (id: string): string => id.slice(0, id.indexOf(':')) // worker/domain/network/members/links.ts
  /** A session that does not end shows in the link's state. */
  const disconnect = async (ends: readonly LinkEnd[]): Promise<readonly string[]> => {
    const servers = ends.filter(({ role }) => role === 'server')
    const ended = await Promise.all(
      servers.map(({ id, peer }) => openvpn.disconnect(networkOf(id), peer).catch(() => false)),
    )
    return servers.filter((_, index) => ended[index]).map(({ id }) => id)
  }
  const stuckSessions = new StuckSessions()
  const clearStuckSessions = (states: ReadonlyMap<string, LinkState>): void => {
    const links = driver.running?.document.networks.flatMap((network) => network.links) ?? []
    const missing = links.filter(({ id }) => states.get(id)?.tunnel.reason === LINK_REASON.noSession)
    const stuck = stuckSessions.take(new Set(missing.map(({ remote_ip }) => remote_ip)), clock.monotonic())
    if (stuck.length > 0) void frr.clearSessions(stuck).catch(() => {}) // a later read finds them again
  }
  return new TunnelProbe({
    prober,
    clock,
    onChange: (listener) => device.onChange(listener),
    async readStates(): Promise<ReadonlyMap<string, LinkState>> {
      const rendering = driver.running
      if (rendering === null) return new Map()
      const states = linkStates(rendering, {
        tunnel: (name) => openvpn.tunnel(name),
        exhausted: openvpn.exhausted(),
        waiting: openvpn.waiting(),
        established: await frr.establishedPeers(),
      })
      clearStuckSessions(states)
      return states
    },
    disconnect,
    async restart(ends) {
      const devices = driver.running === null ? null : linkDevices(driver.running)
      const exhausted = new Set(openvpn.exhausted().keys())
      const hasGivenUp = ({ id }: LinkEnd) => exhausted.has(devices?.get(id) ?? '')
      const networks = new Set(ends.map(({ id }) => networkOf(id)))
      const [ended] = await Promise.all([
        disconnect(ends.filter((end) => !hasGivenUp(end))),
        ...[...networks].map((network) => openvpn.reset(network)),
      ])
      const restarted = new Set([...ended, ...ends.filter(hasGivenUp).map(({ id }) => id)])
      return ends.map(({ id }) => id).filter((id) => restarted.has(id))
    },
  })
}
