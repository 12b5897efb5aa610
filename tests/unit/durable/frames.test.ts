import { expect, it } from 'vitest'
import { COUNTED_LINKS } from '#contract/device/counters.ts'
import { LINK_RATES } from '#contract/kernel/hub-limits.ts'
import { agentFrame, hubFrame, viewerFrame, viewerRequest } from '#contract/kernel/protocol.ts'
import { POP } from '#contract/network/limits.ts'

const applied = { version: 3, hash: 'h' }
const result = { t: 'config_result', version: 3, hash: 'h', state: 'applied' }
const link = { rx: 1, tx: 2, since_s: 3 }
const counters = { t: 'counters', boot_id: 'b', at: 5, applied, interfaces: {}, links: { a: link } }
const dial = {
  t: 'client_auth',
  id: '1',
  network_number: 'N1',
  name: 'li@acme',
  secret: '',
  renewed: true,
  remote: '203.0.113.9',
  os: 'linux',
  version: '1',
}
const stream = { t: 'stream', on: true, rate_ms: 1_000, lease_s: 30 }
const decision = { t: 'client_auth_result', id: '1', ok: true, reason: '' }
const head = { code: 200, seq: 7 }
const probed = { ...link, asked: 12, lost: 1, rtt_sum_ms: 131.5, rtt_max_ms: 40 }

it('frames of the releases before, and those with the newer fields, are read as they were sent', () => {
  const frames = [
    [agentFrame, result],
    [agentFrame, { ...result, refused: [{ network_number: 'N1', reason: '端口被占用' }] }],
    [agentFrame, counters],
    [agentFrame, { ...counters, links: { a: probed }, trunks: { N1: link } }],
    [agentFrame, dial],
    [agentFrame, { ...dial, session: 's', profile: 4, credential_version: 2 }],
    [agentFrame, { ...dial, session: '', profile: null, credential_version: null }],
    [hubFrame, stream],
    [hubFrame, { ...stream, trunks: true }],
    [hubFrame, decision],
    [hubFrame, { ...decision, profile: null, credential_version: 2 }],
    [viewerRequest, { type: 'rates', ids: ['N1:a>b', 'trunk:a'] }],
    [viewerFrame, { ...head, type: 'link_rates', data: { 'N1:a>b': { down: 1, upload: 2, time: 3 } } }],
    [viewerFrame, { ...head, type: 'diagnosis', data: { job_id: 'd' } }],
  ] as const
  expect(frames.map(([schema, frame]) => schema.parse(frame))).toEqual(frames.map(([, frame]) => frame))
})

it('frames beyond their limits are refused', () => {
  const names = (count: number) => Array.from({ length: count }, (_, i) => `n${i}`)
  const byName = <T>(count: number, value: T) => Object.fromEntries(names(count).map((name) => [name, value]))
  const refused = (count: number) => names(count).map((network_number) => ({ network_number, reason: '' }))
  const broken = [
    [agentFrame, { ...result, refused: refused(POP.networksPerNode + 1) }],
    [agentFrame, { ...counters, trunks: byName(POP.networksPerNode + 1, link) }],
    [agentFrame, { ...counters, links: byName(COUNTED_LINKS + 1, link) }],
    ...[{ asked: -1 }, { lost: 0.5 }, { rtt_sum_ms: -1 }, { rtt_max_ms: 1e300 }, { asked: 1e300 }].map(
      (part) => [agentFrame, { ...counters, links: { a: { ...probed, ...part } } }] as const,
    ),
    [agentFrame, { ...dial, session: 'x'.repeat(65) }],
    [agentFrame, { ...dial, profile: 0 }],
    [viewerRequest, { type: 'rates', ids: names(LINK_RATES.idsMax + 1) }],
  ] as const
  expect(broken.filter(([schema, frame]) => schema.safeParse(frame).success)).toEqual([])
})
