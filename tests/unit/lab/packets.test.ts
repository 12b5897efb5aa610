import { expect, it } from 'vitest'
import { areAllWritten, offeredSegment, parseCapture, parseReports } from '#infra/lab/packets/capture.ts'
import { parsePings } from '#infra/lab/packets/ping.ts'

const line = (second: number, n: number, more = '') =>
  `[${second.toFixed(6)}] 64 bytes from 10.14.0.10: icmp_seq=${n} ttl=61 time=0.4 ms${more}`

it('the largest gap of pings is the longest time without an answer', () => {
  const output = ['PING 10.14.0.10', line(100.05, 1), line(100.1, 2), line(101.3, 26), '27 packets transmitted'].join(
    '\n',
  )
  const result = parsePings(output, 100_000, 101_350)
  expect(result).toMatchObject({ sent: 27, received: 3 })
  expect(result.largestGapMs).toBeCloseTo(1_200)
})

it('silence from the start, or to the end, is a gap as well', () => {
  expect(parsePings('', 100_000, 103_000).largestGapMs).toBe(3_000)
  expect(parsePings(line(100.1, 1), 100_000, 104_100).largestGapMs).toBeCloseTo(4_000)
})

it('a repeated answer is no answer, and an error is none', () => {
  const output = [
    line(100.1, 1),
    line(100.2, 1, ' (DUP!)'),
    '[100.3] From 10.13.0.1 icmp_seq=2 Destination Host Unreachable',
  ]
  expect(parsePings(output.join('\n'), 100_000, 100_400).received).toBe(1)
})

/** Ethernet frame of an IPv4 packet. */
function frame(protocol: number, payload: readonly number[], fragment = 0): Buffer {
  const header = [
    0x45,
    0,
    0,
    0,
    0,
    0,
    fragment >> 8,
    fragment & 255,
    64,
    protocol,
    0,
    0,
    203,
    0,
    113,
    21,
    203,
    0,
    113,
    12,
  ]
  return Buffer.from([...Array.from({ length: 12 }, () => 2), 0x08, 0x00, ...header, ...payload])
}

function captureOf(...frames: readonly Buffer[]): Buffer {
  const records = frames.map((one) => {
    const header = Buffer.alloc(16)
    header.writeUInt32LE(one.length, 8)
    header.writeUInt32LE(one.length, 12)
    return Buffer.concat([header, one])
  })
  return Buffer.concat([Buffer.alloc(24), ...records])
}

const UDP = frame(17, [0x9c, 0x41, 0x2e, 0xa5, 0, 8, 0, 0])
const ARP = Buffer.from([...Array.from({ length: 12 }, () => 2), 0x08, 0x06, ...Array.from({ length: 28 }, () => 0)])

it('a capture is read as its IPv4 packets, with addresses and ports', () => {
  const packets = parseCapture(captureOf(UDP, ARP, frame(1, [8, 0, 0, 0])))
  expect(packets).toMatchObject([
    { source: '203.0.113.21', destination: '203.0.113.12', protocol: 17, sourcePort: 40_001, destinationPort: 11_941 },
    { protocol: 1, sourcePort: 0, destinationPort: 0, isFragment: false },
  ])
})

it('a capture that was cut off in a packet ends before it', () => {
  const file = captureOf(UDP, UDP)
  expect(parseCapture(file.subarray(0, file.length - UDP.length - 4))).toHaveLength(1)
})

it('the first and the last part of a packet are fragments, one that must not be cut is none', () => {
  const fragments = [0x2000, 0x00b9, 0x4000].map((bits) => parseCapture(captureOf(frame(17, [], bits)))[0]?.isFragment)
  expect(fragments).toEqual([true, true, false])
})

it('the segment size that a connection offers is read from its options', () => {
  const tcp = (options: readonly number[]) =>
    frame(6, [
      ...Array.from({ length: 12 }, () => 0),
      ((20 + options.length) / 4) << 4,
      2,
      0,
      0,
      0,
      0,
      0,
      0,
      ...options,
    ])
  const offered = (one: Buffer) => offeredSegment(parseCapture(captureOf(one))[0]!)
  expect(offered(tcp([2, 4, 0x05, 0xb4]))).toBe(1_460)
  expect(offered(tcp([1, 1, 4, 2, 2, 4, 0x05, 0x14]))).toBe(1_300)
  expect(offered(tcp([1, 1, 4, 2]))).toBeNull()
  expect(offered(UDP)).toBeNull()
})

it('a capture is complete once tcpdump has written what had passed, or writes no more', () => {
  const report = (written: number, passed: number) =>
    `tcpdump: ${written} packets captured, ${passed} packets received by filter, 0 packets dropped by kernel\n`
  const isComplete = (...reports: readonly string[]) => areAllWritten(parseReports(reports.join('')))
  expect(isComplete()).toBe(false)
  expect(isComplete(report(160, 220))).toBe(false)
  expect(isComplete(report(160, 220), report(210, 240))).toBe(false)
  expect(isComplete(report(160, 220), report(225, 250))).toBe(true)
  expect(isComplete(report(6, 12), report(6, 12))).toBe(true)
  expect(isComplete('tcpdump: 1 packet captured, 1 packet received by filter, 0 packets dropped by kernel\n')).toBe(
    true,
  )
})
