import { networkApi } from '#contract/network/index.ts'
import { FORWARDED, PROBE_PORT, SITES } from '#infra/lab/bed/sites.ts'
import { OFFICE, officeOf } from '#infra/lab/customers.ts'
import { startCapture } from '#infra/lab/packets/capture.ts'
import { poll } from '#infra/lab/poll.ts'
import { untilReached } from './basis.ts'
import { type Check, requireThat } from './check.ts'
import { readTunnels } from './router-state.ts'
import { untilWell } from './stands.ts'

/* Checks of ports and addresses: where a centre is dialled. */

const UDP = 17
const KEPT_ALIVE_MS = 20_000

const DIALLED_AT_SEEN: Check = {
  number: 8,
  title: 'a centre without a fixed port is dialled at the address that the service saw',
  needs: 'linux',
  async run({ bed, folder }) {
    await untilReached(bed, 'C', 'B')
    const seen = new Set<string>()
    await poll(
      'packets of C and D to B',
      KEPT_ALIVE_MS,
      async () => {
        const capture = await startCapture(bed, folder, { filter: ['udp', 'and', 'dst', 'host', SITES.B.address] })
        await untilReached(bed, 'C', 'B')
        await untilReached(bed, 'D', 'B')
        for (const { source, protocol, destinationPort } of await capture.stop())
          if (protocol === UDP && destinationPort !== PROBE_PORT) seen.add(source)
        return [...seen]
      },
      () => [SITES.C.address, SITES.D.address].every((address) => seen.has(address)),
    )
    requireThat(!seen.has(SITES.X.address), 'a router of another customer dials it')
  },
}

const FORWARDED_PORT: Check = {
  number: 6,
  title: 'a centre with a fixed port is dialled at that port, which its NAT forwards',
  needs: 'linux',
  async run({ bed, folder }) {
    await untilReached(bed, 'C', 'A')
    const capture = await startCapture(bed, folder, {
      filter: ['udp', 'and', 'src', 'host', SITES.C.address, 'and', 'dst', 'host', SITES.A.address],
    })
    await untilReached(bed, 'C', 'A')
    const ports = new Set((await capture.stop()).map(({ destinationPort }) => destinationPort))
    ports.delete(PROBE_PORT)
    requireThat(
      [...ports].join() === String(FORWARDED.outside),
      `packets go to ports ${[...ports].join(', ') || 'none'}`,
    )
  },
}

const GATEWAY_MS = 10_000

const SEGMENT: Check = {
  number: 9,
  title:
    'with another segment of a centre its tunnels have new addresses, and hosts reach each other again within 10 s',
  needs: 'linux',
  async run({ bed, customers }) {
    const { call, network_number, name } = officeOf(customers[0])
    const set = (router_network: { gateway: string; mask: number } | null) =>
      call(networkApi.editCenterGateway, { network_number, router_name: name('B'), router_network, pack: 1 })
    const isInside = (address: string) => address.startsWith('10.200.')
    await untilReached(bed, 'C', 'B')
    await set({ gateway: '10.200.0.0', mask: 22 })
    try {
      const readMoved = async () => [...(await readTunnels(bed, 'C')).values()].filter(isInside)
      await poll('C has an address of the new segment', GATEWAY_MS, readMoved, (moved) => moved.length === 1)
      await untilReached(bed, 'C', 'B', GATEWAY_MS)
      await untilReached(bed, 'C', 'D', GATEWAY_MS)
    } finally {
      await set(null)
    }
    await untilWell(customers[0], OFFICE.name)
    await untilReached(bed, 'C', 'B')
  },
}

export const PORTS: readonly Check[] = [FORWARDED_PORT, DIALLED_AT_SEEN, SEGMENT]
