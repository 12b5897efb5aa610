import type { Packet } from '#infra/lab/packets/capture.ts'

/* Messages of a WebSocket client, read from the packets that it sends. Pure. */

const TCP = 6
const TEXT = 1
const BINARY = 2
const CONTINUATION = 0
const HEADER_END = '\r\n\r\n'

/** Payload of one packet, with its place in the stream. */
interface Segment {
  readonly port: number
  readonly sequence: number
  readonly payload: Buffer
}

/** Messages in the order in which they were sent, as text; one that the capture cuts off is left out. */
export function readMessages(packets: readonly Packet[]): readonly string[] {
  const segments = packets.filter(({ protocol }) => protocol === TCP).map(toSegment)
  const streams = Map.groupBy(
    segments.filter(({ payload }) => payload.length > 0),
    ({ port }) => port,
  )
  return [...streams.values()].flatMap((stream) => readFrames(withoutHandshake(joinSegments(stream))))
}

function toSegment({ bytes, sourcePort: port }: Packet): Segment {
  const start = (bytes.readUInt8(0) & 0x0f) * 4
  const payload = start + (bytes.readUInt8(start + 12) >> 4) * 4
  return { port, sequence: bytes.readUInt32BE(start + 4), payload: bytes.subarray(payload, bytes.readUInt16BE(2)) }
}

/** Bytes of a stream in their order, those that were sent again once. */
function joinSegments(stream: readonly Segment[]): Buffer {
  const [first] = stream
  if (!first) return Buffer.alloc(0)
  const offset = ({ sequence }: Segment) => (sequence - first.sequence) | 0 // numbers begin anew after 2^32
  const ordered = stream.toSorted((a, b) => offset(a) - offset(b))
  const parts: Buffer[] = []
  let end = Math.min(...ordered.map(offset))
  for (const segment of ordered) {
    const fresh = segment.payload.subarray(Math.max(0, end - offset(segment)))
    parts.push(fresh)
    end = Math.max(end, offset(segment) + segment.payload.length)
  }
  return Buffer.concat(parts)
}

/** Bytes behind the request that opens a socket, if it was captured. */
function withoutHandshake(stream: Buffer): Buffer {
  const end = stream.indexOf(HEADER_END)
  return stream.subarray(0, 4).toString() === 'GET ' ? stream.subarray(end + HEADER_END.length) : stream
}

function readFrames(stream: Buffer): string[] {
  const messages: string[] = []
  for (let at = 0; at + 2 <= stream.length;) {
    const opcode = stream.readUInt8(at) & 0x0f
    const { length, body } = readLength(stream, at)
    if (body + length > stream.length) break
    const mask = stream.subarray(body - 4, body)
    const payload = stream.subarray(body, body + length).map((byte, n) => byte ^ (mask[n % 4] ?? 0))
    const text = Buffer.from(payload).toString()
    if (opcode === TEXT || opcode === BINARY) messages.push(text)
    if (opcode === CONTINUATION) messages.push(`${messages.pop() ?? ''}${text}`)
    at = body + length
  }
  return messages
}

/** Length of a frame's payload, and the place at which it begins behind its mask. */
function readLength(stream: Buffer, at: number): { readonly length: number; readonly body: number } {
  const short = stream.readUInt8(at + 1) & 0x7f
  if (short === 126 && at + 4 <= stream.length) return { length: stream.readUInt16BE(at + 2), body: at + 8 }
  if (short === 127 && at + 10 <= stream.length)
    return { length: Number(stream.readBigUInt64BE(at + 2)), body: at + 14 }
  return { length: short, body: at + 6 }
}
