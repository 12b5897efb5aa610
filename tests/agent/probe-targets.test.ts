import { describe, expect, it } from 'vitest'
import { Names, ProbeTargets } from '#infra/agent/probe/targets.ts'
import { FakeClock, flushPromises } from './support/fake-clock.ts'

const target = (host: string) => ({ host, port: 7000 })
const A = target('8.8.8.1')
const B = target('2400:3200::1')
const C = target('8.8.8.3')

const noNames = new Names(new FakeClock(), async () => [])

/** Hosts that one request goes to in turn, a second apart. */
function hostsOf(targets: ProbeTargets, steps: number, from = 0): (string | undefined)[] {
  const hosts = [targets.first()]
  if (hosts[0]) targets.sent(hosts[0].host, from)
  for (let n = 1; n < steps; n++) {
    const next = targets.next(from + n * 1_000, 1_000)
    if (next) targets.sent(next.host, from + n * 1_000)
    hosts.push(next)
  }
  return hosts.map((each) => each?.host)
}

describe('agent.md, Probes · several targets', () => {
  it('are asked in turn, a second apart, from the one that has answered last', () => {
    const targets = new ProbeTargets([A, B, C], noNames)
    expect(hostsOf(targets, 5)).toEqual([A.host, B.host, C.host, A.host, B.host])
    expect(targets.next(4_500, 1_000)).toBeNull()
    expect(targets.answered(B)).toBe(true)
    expect([targets.remote, targets.answered(B)]).toEqual(['[2400:3200::1]:7000', false])
    expect(hostsOf(targets, 3, 9_000)).toEqual([B.host, C.host, A.host])
    expect(targets.answered(C)).toBe(true)
    expect(targets.remote).toBe('8.8.8.3:7000')
  })

  it('know when each of them was asked', () => {
    const targets = new ProbeTargets([A, B], noNames)
    hostsOf(targets, 2, 50)
    expect([targets.askedAt(A.host), targets.askedAt(B.host), targets.askedAt(C.host)]).toEqual([50, 1_050, undefined])
  })

  it('of which there is one are asked once, and named in no report', () => {
    const targets = new ProbeTargets([A], noNames)
    expect(hostsOf(targets, 3)).toEqual([A.host, undefined, undefined])
    expect([targets.answered(A), targets.remote]).toEqual([false, null])
    expect(hostsOf(new ProbeTargets([], noNames), 2)).toEqual([undefined, undefined])
  })

  it('by name are looked up, anew each minute, and a failed lookup keeps what was known', async () => {
    const clock = new FakeClock()
    const answers: (readonly string[] | null)[] = [['8.8.8.7'], null, ['8.8.8.9']]
    const asked: string[] = []
    const names = new Names(clock, async (name) => {
      asked.push(name)
      return answers.shift() ?? Promise.reject(new Error('SERVFAIL'))
    })
    const targets = new ProbeTargets([target('vpn.a.cn'), A], names)
    expect(targets.first()?.host).toBe(A.host)
    await flushPromises()
    expect(hostsOf(targets, 2)).toEqual(['8.8.8.7', A.host])
    await clock.advance(60_000)
    targets.first()
    await flushPromises()
    expect(hostsOf(targets, 2)).toEqual(['8.8.8.7', A.host])
    await clock.advance(60_000)
    targets.first()
    await flushPromises()
    expect(hostsOf(targets, 2)).toEqual(['8.8.8.9', A.host])
    expect(asked).toEqual(['vpn.a.cn', 'vpn.a.cn', 'vpn.a.cn'])
  })
})
