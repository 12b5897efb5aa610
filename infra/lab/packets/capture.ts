import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Bed } from '../bed/bed.ts'
import { BRIDGE, INTERNET } from '../bed/plan.ts'
import { poll } from '../poll.ts'

/* Packets as they pass the bridge of the internet, or the port of another host. */

const READY_MS = 10_000
const ETHERNET_BYTES = 14
const IPV4 = 0x0800
const FILE_HEADER_BYTES = 24
const PACKET_HEADER_BYTES = 16
/** Bytes kept of a packet. With more its ring of 8 MiB would hold few packets, because each takes a place of that size. */
const KEPT_BYTES = '2048'

export interface Packet {
  /** Time at which it passed, in ms. */
  readonly at: number
  readonly source: string
  readonly destination: string
  readonly protocol: number
  /** Ports of TCP and UDP, else 0. */
  readonly sourcePort: number
  readonly destinationPort: number
  readonly isFragment: boolean
  readonly bytes: Buffer
}

export interface Capture {
  stop(): Promise<readonly Packet[]>
}

interface CaptureOptions {
  /** The bridge of the internet, unless another place is named. */
  readonly at?: { readonly host: string; readonly port: string }
  /** Filter of tcpdump, word by word. */
  readonly filter?: readonly string[]
}

const INTERNET_BRIDGE = { host: INTERNET, port: BRIDGE }
let captures = 0

/** Starts a capture into a file of the folder, which is read and removed at the end. */
export async function startCapture(
  bed: Bed,
  folder: string,
  { at = INTERNET_BRIDGE, filter = [] }: CaptureOptions = {},
): Promise<Capture> {
  const file = join(folder, `capture-${++captures}`)
  const options = ['--immediate-mode', '-U', '-B', '8192', '-s', KEPT_BYTES, '-Z', 'root', '-w', file]
  const argv = ['tcpdump', '-i', at.port, ...options, ...filter]
  const child = bed.start(at.host, argv, { output: 'pipe' })
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await poll(
    'the capture runs',
    READY_MS,
    () => output,
    (text) => text.includes('listening on'),
  )
  /** Waits until the packets that have passed are in the file: at its end tcpdump drops those that it has not read yet. */
  async function untilWritten(): Promise<void> {
    const before = parseReports(output).length
    await poll(
      'the packets that passed are written',
      READY_MS,
      () => {
        child.kill('SIGUSR1') // prints its counts
        return parseReports(output).slice(before)
      },
      areAllWritten,
    )
  }
  return {
    async stop() {
      await untilWritten()
      const ended = new Promise((resolve) => child.once('close', resolve))
      child.kill('SIGINT')
      await ended
      const packets = parseCapture(readFileSync(file))
      rmSync(file)
      return packets
    },
  }
}

/** Packets that passed the filter of tcpdump, and those of them that it has written. */
interface CaptureReport {
  readonly written: number
  readonly passed: number
}

/** Counts that tcpdump has printed. Pure. */
export const parseReports = (output: string): readonly CaptureReport[] =>
  [...output.matchAll(/(\d+) packets? captured, (\d+) packets? received by filter/g)].map(([, written, passed]) => ({
    written: Number(written),
    passed: Number(passed),
  }))

/** True if the packets of the first report are written, or nothing more is: some are counted twice, or before the filter. Pure. */
export function areAllWritten(reports: readonly CaptureReport[]): boolean {
  const [last, before] = [reports.at(-1), reports.at(-2)]
  if (!last || !reports[0]) return false
  return last.written >= reports[0].passed || last.written === before?.written
}

/** IPv4 packets of a capture file (libpcap, little endian, Ethernet). Pure. */
export function parseCapture(file: Buffer): readonly Packet[] {
  const packets: Packet[] = []
  for (let at = FILE_HEADER_BYTES; at + PACKET_HEADER_BYTES <= file.length;) {
    const length = file.readUInt32LE(at + 8)
    const start = at + PACKET_HEADER_BYTES
    const frame = file.subarray(start, start + length)
    if (frame.length >= ETHERNET_BYTES + 20 && frame.readUInt16BE(12) === IPV4)
      packets.push(parsePacket(frame.subarray(ETHERNET_BYTES), timeAt(file, at)))
    at = start + length
  }
  return packets
}

const timeAt = (file: Buffer, at: number): number => file.readUInt32LE(at) * 1000 + file.readUInt32LE(at + 4) / 1000

const FRAGMENT_BITS = 0x3fff // more fragments, and the offset

function parsePacket(bytes: Buffer, at: number): Packet {
  const headerBytes = (bytes.readUInt8(0) & 0x0f) * 4
  const protocol = bytes.readUInt8(9)
  const hasPorts = [6, 17].includes(protocol) && bytes.length >= headerBytes + 4
  const address = (start: number) => [...bytes.subarray(start, start + 4)].join('.')
  return {
    at,
    source: address(12),
    destination: address(16),
    protocol,
    sourcePort: hasPorts ? bytes.readUInt16BE(headerBytes) : 0,
    destinationPort: hasPorts ? bytes.readUInt16BE(headerBytes + 2) : 0,
    isFragment: (bytes.readUInt16BE(6) & FRAGMENT_BITS) !== 0,
    bytes,
  }
}

const TCP = 6
const MSS_OPTION = 2
const FIXED_TCP_BYTES = 20

/** Maximum segment size that a TCP packet offers; null if it offers none. Pure. */
export function offeredSegment({ protocol, bytes }: Packet): number | null {
  if (protocol !== TCP) return null
  const start = (bytes.readUInt8(0) & 0x0f) * 4
  const end = start + (bytes.readUInt8(start + 12) >> 4) * 4
  for (let at = start + FIXED_TCP_BYTES; at < end;) {
    const kind = bytes.readUInt8(at)
    if (kind === MSS_OPTION) return bytes.readUInt16BE(at + 2)
    if (kind === 0) return null
    at += kind === 1 ? 1 : Math.max(2, bytes.readUInt8(at + 1))
  }
  return null
}
