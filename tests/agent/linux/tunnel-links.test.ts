import { describe, expect, it } from 'vitest'
import type { LinuxPart } from '#infra/agent/drivers/linux/linux-part.ts'
import { tunnelLinks } from '#infra/agent/drivers/linux/tunnel-links.ts'
import type { LinkEnd } from '#infra/agent/probe/prober.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { access, center, centerNetwork, twin } from '../support/tunnel-parts.ts'
import { renderingOf, withKeys } from './support/renderings.ts'

const POINT_1 = 'N1:NL-P1>NL-A'
const POINT_2 = 'N1:NL-P2>NL-A'
const TWIN = 'N1:NL-B>NL-A'

/** A centre with two points, one of them connected, and the twin link. @param exhausted interfaces of processes that gave up. */
function open(exhausted: readonly string[] = []) {
  const ends = [access('N1', 1, 'A').server, access('N1', 2, 'A').server, twin('server')]
  const calls: string[] = []
  const part = {
    driver: { running: renderingOf(withKeys(center(centerNetwork({ links: ends })))) },
    openvpn: {
      tunnel: () => null,
      exhausted: () => new Map(exhausted.map((name) => [name, {}])),
      waiting: () => [],
      reset: async (network: string) => void calls.push(`reset ${network}`),
      async disconnect(network: string, peer: string) {
        calls.push(`end ${network} ${peer}`)
        return peer === 'NL-P1'
      },
    },
    frr: { establishedPeers: async () => null },
  } as unknown as LinuxPart
  const prober = {
    port: 1,
    reports: () => [],
    takeSums: () => new Map(),
    watch: () => {},
    disconnect: async () => [],
    restart: async () => [],
  }
  const links = tunnelLinks({ parts: () => [part], onChange: () => {} }, prober, new FakeClock())
  links.watch('NL-A', ends.map((end) => ({ ...end, carrier: 'tunnel' })) as LinkEnd[], () => {})
  return { links, calls }
}

describe('links in tunnels', () => {
  it('whose sessions end are those that had one; no process is started', async () => {
    const { links, calls } = open(['ov1r'])
    expect(await links.disconnect('NL-A', [POINT_1, POINT_2])).toEqual([POINT_1])
    expect(calls).toEqual(['end N1 NL-P1', 'end N1 NL-P2'])
  })

  it('that restart are those with a session, and all of a process that gave up', async () => {
    const healthy = open()
    expect(await healthy.links.restart('NL-A', [POINT_1, POINT_2, TWIN])).toEqual([POINT_1])
    expect(healthy.calls.toSorted()).toEqual(['end N1 NL-B', 'end N1 NL-P1', 'end N1 NL-P2', 'reset N1'])
    const { links, calls } = open(['ov1r'])
    expect(await links.restart('NL-A', [POINT_1, POINT_2, TWIN])).toEqual([POINT_1, POINT_2])
    expect(calls.toSorted()).toEqual(['end N1 NL-B', 'reset N1'])
  })
})
