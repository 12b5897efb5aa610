import { describe, expect, it } from 'vitest'
import { Leaves } from '#infra/agent/drivers/linux/openvpn/leaves.ts'
import type { ClientSession } from '#infra/agent/drivers/linux/openvpn/management-lines.ts'
import { TunnelDials } from '#infra/agent/drivers/linux/openvpn/tunnel-dials.ts'
import type { Dial } from '#infra/agent/reports/dial-reporter.ts'

const SERVER = { device: 'ov1s', network: 'N1' }
const NOW = 60_000
const session = (over: Partial<ClientSession> = {}): ClientSession => ({
  name: 'a@q',
  remote: '203.0.113.40:5',
  address: '100.64.16.9',
  cid: 1,
  cipher: '',
  since: 50,
  rx: 1,
  tx: 2,
  ...over,
})

function openDials() {
  const reported: Dial[] = []
  const clock = { now: () => NOW, after: () => () => {} } as unknown as ConstructorParameters<
    typeof TunnelDials
  >[0]['clock']
  const dials = new TunnelDials({ clock, end: async () => {}, refresh: async () => {} })
  dials.start((...each) => reported.push(...each))
  return { dials, reported }
}

it('a dial ends when its client left', () => {
  const { dials, reported } = openDials()
  dials.take(SERVER, { type: 'began', session: session() })
  dials.take(SERVER, { type: 'ended', session: session({ rx: 9 }), ageMs: 5_000 })
  expect(reported).toMatchObject([{ endedAt: null }, { endedAt: NOW - 5_000, rx: 9, remote: '203.0.113.40' }])
})

it('a dial begins when its session stands; one that the agent finds began when OpenVPN says', () => {
  const { dials, reported } = openDials()
  dials.take(SERVER, { type: 'began', session: session() })
  dials.take(SERVER, { type: 'listed', sessions: [session({ rx: 5 }), session({ cid: 2, since: 40 })] })
  dials.take(SERVER, { type: 'ended', session: session({ rx: 9 }), ageMs: 0 })
  expect(reported.map(({ beganAt }) => beganAt)).toEqual([NOW, NOW, 40_000, NOW])
})

it('a refused dial is none, whatever OpenVPN calls it', () => {
  const { dials, reported } = openDials()
  dials.take(SERVER, { type: 'listed', sessions: [session({ address: '' }), session({ name: 'UNDEF', address: '' })] })
  dials.take(SERVER, { type: 'ended', session: session({ name: '' }), ageMs: 0 })
  dials.take(SERVER, { type: 'ended', session: session(), ageMs: 0 })
  expect(reported).toEqual([])
})

it('a dial that a list misses is over', () => {
  const { dials, reported } = openDials()
  dials.take(SERVER, { type: 'began', session: session() })
  dials.take(SERVER, { type: 'listed', sessions: [] })
  expect(reported.map(({ endedAt }) => endedAt)).toEqual([null, NOW])
})

describe('end of a session whose client left', () => {
  it.each([
    ['nobody left', [], 9_000, 0],
    ['its client left', [4_000], 9_000, 5_000],
    ['its client left, and timers are late', [4_000], 10_200, 6_200],
    ['a session is cut while another client leaves', [4_000], 6_000, 0],
    ['a notification is too old', [1_000], 9_000, 0],
    ['of two clients the first', [3_500, 4_500], 9_000, 5_500],
  ])('%s', (_, left, now, age) => {
    const leaves = new Leaves()
    for (const time of left) leaves.left(time)
    expect(leaves.takeAge(now)).toBe(age)
  })

  it('each notification is taken once', () => {
    const leaves = new Leaves()
    leaves.left(4_000)
    expect([leaves.takeAge(9_000), leaves.takeAge(9_000)]).toEqual([5_000, 0])
  })
})

it('a dial ends by a job also before it stands', () => {
  const ended: unknown[] = []
  const clock = { now: () => NOW, after: () => () => {} } as unknown as ConstructorParameters<
    typeof TunnelDials
  >[0]['clock']
  const end = async (...sessions: readonly unknown[]) => void ended.push(sessions)
  const dials = new TunnelDials({ clock, end, refresh: async () => {} })
  expect(dials.end('N1', 'a@q', true, 7)).toBe(0)
  expect(ended).toEqual([['N1', 'a@q', true, 7]])
})
