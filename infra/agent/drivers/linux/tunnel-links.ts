import type { Clock } from '#infra/agent/clock.ts'
import type { LinkProbe } from '#infra/agent/agent.ts'
import type { LinuxDevice } from './linux-device.ts'
import { type LinkState, linkStates } from './link-states.ts'
import { TunnelProbe } from './tunnel-probe.ts'

/** Link reports of a device that runs its tunnels. */
export function tunnelLinks(device: LinuxDevice, prober: LinkProbe, clock: Clock): LinkProbe {
  const { driver, openvpn, frr } = device
  const networkOf = (id: string): string => id.slice(0, id.indexOf(':')) // worker/domain/network/members/links.ts
  return new TunnelProbe({
    prober,
    clock,
    onChange: (listener) => device.onChange(listener),
    async readStates(): Promise<ReadonlyMap<string, LinkState>> {
      const rendering = driver.running
      if (rendering === null) return new Map()
      return linkStates(rendering, {
        tunnel: (name) => openvpn.tunnel(name),
        exhausted: openvpn.exhausted(),
        waiting: openvpn.waiting(),
        established: await frr.establishedPeers(),
      })
    },
    restart({ id, role, peer }) {
      const done = role === 'server' ? openvpn.disconnect(networkOf(id), peer) : openvpn.reset(networkOf(id))
      done.catch(() => {}) // the link's state shows it
    },
  })
}
