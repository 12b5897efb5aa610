import { networkApi } from '#contract/network/index.ts'
import { hostName } from '#infra/lab/bed/plan.ts'
import { FORWARDED, PROBE_PORT, SITES, hostAddress } from '#infra/lab/bed/sites.ts'
import { OFFICE, officeOf } from '#infra/lab/customers.ts'
import { type Packet, startCapture } from '#infra/lab/packets/capture.ts'
import { startPings } from '#infra/lab/packets/ping.ts'
import { poll } from '#infra/lab/poll.ts'
import { untilReached } from './basis.ts'
import { type Check, requireThat } from './check.ts'
import { readCarriers, readTunnels } from './router-state.ts'
import { untilWell } from './stands.ts'

/* Checks of ports and addresses: where a centre is dialled. */

const UDP = 17
const KEPT_ALIVE_MS = 20_000

/** UDP ports of a centre to which routers of the network send in a capture. */
const portsOf = (packets: readonly Packet[], center: 'A' | 'B'): readonly number[] => {
  const sources = [SITES.C.address, SITES.D.address, SITES.E.address]
  const ports = packets.flatMap(({ source, destination, destinationPort }) =>
    destination === SITES[center].address && sources.includes(source) && destinationPort !== PROBE_PORT
      ? [destinationPort]
      : [],
  )
  return [...new Set(ports)]
}

const NEW_PORT = 23_000
const SILENT_MS = 3_000
/** Answers of three seconds: longer than tunnels are silent by themselves. */
const LOOK_ANSWERS = 60
const LOOK_MS = 20_000

const STATIC_PORT: Check = {
  number: 7,
  title: 'with another port of a centre its old one is silent within 3 s, and no tunnel of the other centre restarts',
  needs: 'linux',
  async run({ bed, folder, customers, within }) {
    const { call, network_number, name } = officeOf(customers[0])
    const set = (router_service: { public_ip?: string; public_port?: number; static_port?: number }) =>
      call(networkApi.fixedPort, { network_number, router_name: name('B'), router_service })
    const startLook = () => startCapture(bed, folder, { filter: ['udp', 'and', 'dst', 'host', SITES.B.address] })
    const look = async () => {
      const capture = await startLook()
      const pings = startPings(bed, hostName('C'), hostAddress('B'))
      await poll(
        'answers of B',
        LOOK_MS,
        () => pings.received(),
        (count) => count >= LOOK_ANSWERS,
      )
      await pings.stop()
      return portsOf(await capture.stop(), 'B')
    }
    await untilReached(bed, 'C', 'B')
    const before = readCarriers(bed, 'A')
    const [old = 0] = await look()
    const change = await startLook()
    const begun = Date.now()
    await set({ public_ip: SITES.B.address, public_port: NEW_PORT, static_port: NEW_PORT })
    try {
      await poll('packets go to the new port only', LOOK_MS, look, (ports) => ports.join() === String(NEW_PORT))
      const late = (await change.stop()).filter(
        ({ at, destinationPort, source }) =>
          destinationPort === old && source !== SITES.B.address && at > begun + within(SILENT_MS),
      )
      const [last] = late.slice(-1)
      requireThat(!last, `the old port still gets packets after ${Math.round((last?.at ?? 0) - begun)} ms`)
    } finally {
      await set({})
    }
    await untilWell(customers[0], OFFICE.name)
    await untilReached(bed, 'C', 'B')
    requireThat(readCarriers(bed, 'A').join() === before.join(), 'processes of A moved')
  },
}

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
  async run({ bed, customers, within }) {
    const { call, network_number, name } = officeOf(customers[0])
    const set = (router_network: { gateway: string; mask: number } | null) =>
      call(networkApi.editCenterGateway, { network_number, router_name: name('B'), router_network, pack: 1 })
    const isInside = (address: string) => address.startsWith('10.200.')
    await untilReached(bed, 'C', 'B')
    await set({ gateway: '10.200.0.0', mask: 22 })
    const begun = performance.now()
    try {
      const readMoved = async () => [...(await readTunnels(bed, 'C')).values()].filter(isInside)
      await poll('C has an address of the new segment', LOOK_MS, readMoved, (moved) => moved.length === 1)
      await untilReached(bed, 'C', 'B')
      const tookMs = performance.now() - begun
      requireThat(tookMs <= within(GATEWAY_MS), `the host of B is reached after ${Math.round(tookMs)} ms`)
      await untilReached(bed, 'C', 'D')
    } finally {
      await set(null)
    }
    await untilWell(customers[0], OFFICE.name)
    await untilReached(bed, 'C', 'B')
  },
}

export const PORTS: readonly Check[] = [FORWARDED_PORT, STATIC_PORT, DIALLED_AT_SEEN, SEGMENT]
