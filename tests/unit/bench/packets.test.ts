import { describe, expect, it } from 'vitest'
import { parseFlow } from '#infra/bench/packets/iperf.ts'
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
