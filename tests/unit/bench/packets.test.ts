import type { Packet } from '#infra/lab/packets/capture.ts'
import { describe, expect, it } from 'vitest'
import { parseFlow } from '#infra/bench/packets/iperf.ts'
import { readMessages } from '#infra/bench/packets/idle/socket-messages.ts'
import { parsePss, parseRss } from '#infra/bench/packets/usage.ts'

describe('readings of the bench of packets', () => {
  it('takes the proportional set size of a process, and neither that of its dirty pages nor of swap', () => {
    const rollup = ['Rss:  9216 kB', 'Pss:  3072 kB', 'Pss_Dirty:  1024 kB', 'SwapPss:  0 kB', ''].join('\n')
    expect(parsePss(rollup)).toBe(3)
    expect(() => parsePss('Rss:  9216 kB\n')).toThrow('no Pss')
  })

  it('takes the resident memory, and not its peak', () => {
    expect(parseRss('VmHWM:\t  204800 kB\nVmRSS:\t   76800 kB\n')).toBe(75)
    expect(() => parseRss('Name:\tnode\n')).toThrow('no VmRSS')
  })

  it('takes from iperf3 what has arrived', () => {
    const sum_sent = { bytes: 9e9, bits_per_second: 9e9 }
    const end = { sum_sent, sum_received: { bytes: 125e6, bits_per_second: 200e6 } }
    expect(parseFlow(JSON.stringify({ end }))).toEqual({ mbps: 200, mbit: 1000 })
    expect(() => parseFlow(JSON.stringify({ end: {}, error: 'unable to connect' }))).toThrow('unable to connect')
  })
})

/** A TCP packet from a port, with a payload at a place of its stream. */
function packet(sequence: number, payload: Buffer, sourcePort = 40_000): Packet {
  const head = Buffer.alloc(40)
  head.writeUInt8(0x45, 0)
  head.writeUInt16BE(40 + payload.length, 2)
  head.writeUInt32BE(sequence >>> 0, 24)
  head.writeUInt8(5 << 4, 32)
  const padding = Buffer.alloc(6) // of a short Ethernet frame
  const bytes = Buffer.concat([head, payload, padding])
  const names = { source: '203.0.113.21', destination: '203.0.113.1', destinationPort: 80 }
  return { at: 0, protocol: 6, isFragment: false, sourcePort, ...names, bytes }
}

/** Frame of a client, which masks its payload. */
function frame(text: string, opcode = 0x81): Buffer {
  const [mask, payload] = [Buffer.from([1, 2, 3, 4]), Buffer.from(text)]
  const masked = payload.map((byte, n) => byte ^ (mask[n % 4] ?? 0))
  const length = Buffer.from(
    payload.length < 126 ? [0x80 | payload.length] : [0xfe, payload.length >> 8, payload.length & 255],
  )
  return Buffer.concat([Buffer.from([opcode]), length, mask, masked])
}

describe('messages of a router in a capture', () => {
  const long = 'x'.repeat(2_000)
  it('are read over several packets, once where a packet was sent again, and without the end of the socket', () => {
    const stream = Buffer.concat([frame('ping'), frame(long), frame('', 0x88)])
    const [first, rest] = [stream.subarray(0, 1_400), stream.subarray(1_400)]
    const sequence = 2 ** 32 - 100 // numbers begin anew within it
    const sent = [packet(sequence, first), packet(sequence + 1_400, rest), packet(sequence, first)]
    expect(readMessages(sent)).toEqual(['ping', long])
    expect(readMessages(sent.slice(0, 2).toReversed())).toEqual(['ping', long])
  })

  it('are those of each connection, behind the request that opens it; one that is cut off is left out', () => {
    const opening = Buffer.concat([Buffer.from('GET /device/v1/connect HTTP/1.1\r\nhost: a\r\n\r\n'), frame('hello')])
    const cut = frame(long).subarray(0, 500)
    expect(readMessages([packet(7, opening), packet(9, cut, 40_001)])).toEqual(['hello'])
  })
})
