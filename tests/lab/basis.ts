import { randomBytes } from 'node:crypto'
import type { Bed } from '#infra/lab/bed/bed.ts'
import { CLIENT, hostName, routerName } from '#infra/lab/bed/plan.ts'
import { SITES, type SiteName, addressIn, hostAddress } from '#infra/lab/bed/sites.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { type Packet, offeredSegment, startCapture } from '#infra/lab/packets/capture.ts'
import { canPing } from '#infra/lab/packets/ping.ts'
import { sendBytes, startListener } from '#infra/lab/packets/tcp.ts'
import { poll } from '#infra/lab/poll.ts'
import { type Check, requireThat } from './check.ts'
import { readTunnels } from './router-state.ts'

/* Checks 1 to 5: what a network carries, and what it keeps from others. */

const REACHED_MS = 30_000
const PORT = 5_000
const SSH = 22
const SENDS_MS = 60_000

/** Waits until a host gets an answer from another one. */
export async function untilReached(bed: Bed, from: string, to: string, limitMs = REACHED_MS): Promise<void> {
  await poll(
    `the host of ${from} reaches that of ${to}`,
    limitMs,
    () => canPing(bed, hostName(from), hostAddress(to)),
    Boolean,
  )
}

export async function requireUnreached(bed: Bed, from: string, to: string): Promise<void> {
  const isReached = await canPing(bed, hostName(from), hostAddress(to))
  requireThat(!isReached, `the host of ${from} reaches that of ${to}`)
}

const isBetween =
  (one: SiteName, other: SiteName) =>
  ({ source, destination }: Packet): boolean => {
    const [a, b] = [SITES[one].address, SITES[other].address]
    return (source === a && destination === b) || (source === b && destination === a)
  }

const POINTS: Check = {
  number: 1,
  title: 'hosts of two points reach each other through a centre, both ways',
  needs: 'linux',
  async run({ bed, folder }) {
    await untilReached(bed, 'C', 'D')
    await untilReached(bed, 'D', 'C')
    const capture = await startCapture(bed, folder)
    await untilReached(bed, 'C', 'D')
    await untilReached(bed, 'D', 'C')
    const packets = await capture.stop()
    requireThat(packets.some(isBetween('C', 'A')) || packets.some(isBetween('C', 'B')), 'no packet of C to a centre')
    requireThat(!packets.some(isBetween('C', 'D')), 'packets pass between the points without a centre')
  },
}

/** Waits until a host gets no answer from another one any more. */
export async function untilUnreached(bed: Bed, from: string, to: string, limitMs = REACHED_MS): Promise<void> {
  await poll(
    `the host of ${from} no longer reaches that of ${to}`,
    limitMs,
    () => canPing(bed, hostName(from), hostAddress(to)),
    (isReached) => !isReached,
  )
}

/** Addresses that no packet on the internet may have: those of LANs, tunnels and NATs. */
const INNER = /^(10\.|172\.(1[6-9]|2\d|3[01])\.|192\.168\.)/

const ENCRYPTED: Check = {
  number: 2,
  title: 'no packet with an inner address and no known payload crosses the internet in clear',
  needs: 'linux',
  async run({ bed, folder }) {
    const marker = randomBytes(12).toString('hex')
    await untilReached(bed, 'C', 'D')
    const listener = await startListener(bed, hostName('D'), PORT)
    const capture = await startCapture(bed, folder)
    const target = { address: hostAddress('D'), port: PORT }
    const sent = await sendBytes(bed, hostName('C'), target, 200_000, marker, SENDS_MS)
    await untilReached(bed, 'D', 'C')
    await untilReached(bed, 'A', 'C')
    const packets = await capture.stop()
    await listener.stop()
    requireThat(sent?.bytes === 200_000, `the payload did not arrive: ${JSON.stringify(sent)}`)
    const carried = packets
      .filter(({ source }) => source === SITES.C.address)
      .reduce((sum, one) => sum + one.bytes.length, 0)
    requireThat(carried > 200_000, `only ${carried} bytes of C were seen on the internet`)
    const inner = packets.find(({ source, destination }) => INNER.test(source) || INNER.test(destination))
    requireThat(!inner, `a packet from ${inner?.source} to ${inner?.destination}`)
    requireThat(!packets.some(({ bytes }) => bytes.includes(marker)), 'the payload in clear')
  },
}

const SEPARATED: Check = {
  number: 3,
  title: 'hosts of another customer or of no network reach none, and the ssh of a router answers its LAN but no tunnel',
  needs: 'linux',
  async run({ bed }) {
    await untilReached(bed, 'C', 'D')
    await untilReached(bed, 'Y', 'X')
    await Promise.all([
      requireUnreached(bed, 'Y', 'D'),
      requireOutside(bed),
      requireOwnNetwork(bed),
      requireClosedSsh(bed),
    ])
  },
}

async function requireOutside(bed: Bed): Promise<void> {
  const isReached = await canPing(bed, CLIENT, hostAddress('D'))
  requireThat(!isReached, 'a machine of no network reaches the host of D')
}

/** A and X have one address: each customer's hosts get an answer from their own. */
async function requireOwnNetwork(bed: Bed): Promise<void> {
  const listener = await startListener(bed, hostName('A'), PORT)
  const target = { address: hostAddress('A'), port: PORT }
  const [own, foreign] = await Promise.all(
    ['C', 'Y'].map((host) => sendBytes(bed, hostName(host), target, 1, 'x', SENDS_MS)),
  )
  await listener.stop()
  requireThat(own?.bytes === 1, 'the host of C does not reach that of A')
  requireThat(foreign === null, 'the host of another customer reaches that of A')
}

async function requireClosedSsh(bed: Bed): Promise<void> {
  const listener = await startListener(bed, routerName('C'), SSH)
  const open = (from: string, address: string) => sendBytes(bed, from, { address, port: SSH }, 1, 'x', SENDS_MS)
  const lan = addressIn(SITES.C.lans[0].segment, 1)
  const tunnels = [...(await readTunnels(bed, 'C')).values()]
  const [ownLan, ...others] = await Promise.all([
    open(hostName('C'), lan),
    open(hostName('D'), lan),
    ...tunnels.flatMap((address) => [open(hostName('D'), address), open(routerName('B'), address)]),
  ])
  await listener.stop()
  requireThat(tunnels.length > 0, 'C has no tunnel')
  requireThat(ownLan !== null, 'ssh does not answer its LAN')
  const answers = others.filter((transfer) => transfer !== null).length
  requireThat(answers === 0, `ssh answers ${answers} of ${others.length} times through a tunnel`)
}

const TRANSFER_BYTES = 20_000_000
const STALL_MS = 1_000
const ETHERNET_SEGMENT = 1_460
const SYN = ['tcp[tcpflags] & tcp-syn != 0']
const FRAGMENTS = ['ip[6:2] & 0x3fff != 0']

const CLAMPED: Check = {
  number: 4,
  title: '20 MB over two tunnels: segments are clamped, no fragment, no stall',
  needs: 'linux',
  async run({ bed, folder, within }) {
    await untilReached(bed, 'C', 'D')
    // a host that learned the path's size before would offer less by itself
    for (const host of ['C', 'D']) await bed.run(hostName(host), ['ip', 'route', 'flush', 'cache'])
    const listener = await startListener(bed, hostName('D'), PORT)
    const at = (host: string) => ({ at: { host: hostName(host), port: 'lan' }, filter: SYN })
    const captures = await Promise.all([
      startCapture(bed, folder, at('C')),
      startCapture(bed, folder, at('D')),
      startCapture(bed, folder, { filter: FRAGMENTS }),
    ])
    const target = { address: hostAddress('D'), port: PORT }
    const sent = await sendBytes(bed, hostName('C'), target, TRANSFER_BYTES, 'x', SENDS_MS)
    const [offered, arrived, fragments] = await Promise.all(captures.map((capture) => capture.stop()))
    await listener.stop()
    requireThat(sent?.bytes === TRANSFER_BYTES, `arrived: ${sent?.bytes ?? 'nothing'}`)
    requireThat(sent.longestMs <= within(STALL_MS), `nothing arrived for ${sent.longestMs} ms`)
    requireThat(fragments?.length === 0, `${fragments?.length} fragments on the internet`)
    const segments = (packets: readonly Packet[] = [], source: string) =>
      packets.flatMap((packet) => (packet.source === source ? (offeredSegment(packet) ?? []) : []))
    const [before] = segments(offered, hostAddress('C'))
    const [after] = segments(arrived, hostAddress('C'))
    requireThat(before === ETHERNET_SEGMENT, `the host offers ${before}`)
    requireThat(after !== undefined && after < ETHERNET_SEGMENT, `the other host is offered ${after}`)
  },
}

const TWO_NETWORKS: Check = {
  number: 5,
  title: 'hosts of a router in two networks reach both, and hosts of the one never reach the other through it',
  needs: 'linux',
  async run({ bed }: Lab) {
    await untilReached(bed, 'E', 'C')
    await untilReached(bed, 'E', 'F')
    await untilReached(bed, 'F', 'E')
    const pairs = ['F C', 'C F', 'F A', 'B F'].map((pair) => pair.split(' ') as [string, string])
    await Promise.all(pairs.map(([from, to]) => requireUnreached(bed, from, to)))
  },
}

export const BASIS: readonly Check[] = [POINTS, ENCRYPTED, SEPARATED, CLAMPED, TWO_NETWORKS]
