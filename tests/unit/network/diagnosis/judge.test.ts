import { describe, expect, it } from 'vitest'
import type { QuestionAnswer } from '#contract/device/questions.ts'
import type { PlannedHop } from '#contract/network/diagnosis.ts'
import { judgeHop } from '#domain/network/diagnosis/judge.ts'

const LINK = 'N1:R3>R1'
const OTHER = 'N1:R3>R2'
const hop = (over: Partial<PlannedHop> = {}): PlannedHop => ({
  name: 'R3',
  label: '门店',
  isNode: false,
  intended: { links: [{ id: LINK, peer: 'R1' }] },
  prefix: '10.4.0.0/24',
  origin: 'R4',
  ...over,
})
const answer = (via: QuestionAnswer<'route'>['via'], over: Partial<QuestionAnswer<'route'>> = {}) => ({
  via,
  prefix: '10.4.0.0/24',
  session: null,
  tunnel: '',
  ...over,
})
const judge = (planned: PlannedHop, found: QuestionAnswer<'route'>, down: Record<string, string> = {}) =>
  judgeHop(planned, found, {
    destination: '10.4.0.9',
    labelOf: (name) => ({ R1: '总部' })[name] ?? name,
    downReason: (id) => down[id] ?? null,
  })

describe('network · a hop as intended', () => {
  it('names the origin of its route and goes on over the link', () => {
    expect(judge(hop(), answer({ link: LINK }, { session: 'up' }))).toMatchObject({
      step: { label: '门店', intended: '经由总部', actual: '经由总部', ok: 1 },
      verdict: null,
      next: { name: 'R1', link: LINK },
    })
    const { step } = judge(hop(), answer({ link: LINK }, { session: 'up' }))
    expect(step.evidence).toBe('路由来自R4，10.4.0.0/24，隧道与路由会话正常')
  })

  it.each([
    ['lan', { local: 'lan' }],
    ['self', { local: 'self' }],
    ['software', { local: 'software' }],
  ] as const)('ends at %s', (local, via) => {
    expect(judge(hop({ intended: { local } }), answer(via))).toMatchObject({
      verdict: null,
      next: null,
      step: { ok: 1 },
    })
  })

  it('ends at the internet', () => {
    expect(judge(hop({ intended: { wan: true } }), answer({ wan: true }))).toMatchObject({ verdict: null, next: null })
  })
})

describe('network · the first difference', () => {
  it.each([
    [
      'a tunnel that is down here',
      answer({ link: LINK }, { tunnel: '对端无应答' }),
      {},
      '门店 应经由总部，但隧道断开：对端无应答',
    ],
    ['a session that is missing', answer({ link: LINK }, { session: 'down' }), {}, '门店 应经由总部，但路由会话未建立'],
    [
      'a link that is down',
      answer(null),
      { [LINK]: '证书已吊销' },
      '门店 应经由总部，实际没有路由：隧道断开：证书已吊销',
    ],
    ['a link without a reason', answer(null), { [LINK]: '' }, '门店 应经由总部，实际没有路由：隧道断开'],
    ['a segment that is not announced', answer(null), {}, '门店 应经由总部，实际没有路由：对端未公布该网段'],
    ['a way out by the WAN', answer({ wan: true }), {}, '门店 应经由总部，实际经由互联网出口：对端未公布该网段'],
    ['another network', answer({ other: true }), {}, '门店 应经由总部，实际经由其他组网：对端未公布该网段'],
    ['another link', answer({ link: OTHER }), {}, '门店 应经由总部，实际经由R2：首选路径未生效'],
    [
      'another link, because its own is down',
      answer({ link: OTHER }),
      { [LINK]: '对端无应答' },
      '门店 应经由总部，实际经由R2：隧道断开：对端无应答',
    ],
  ])('is %s', (_, found, down, text) => {
    expect(judge(hop(), found, down)).toMatchObject({ verdict: { ok: 0, text }, next: null, step: { ok: 0 } })
  })

  it('of a default route is that nobody announces it', () => {
    expect(judge(hop({ prefix: '0.0.0.0/0' }), answer({ wan: true })).verdict?.text).toContain('对端未公布默认路由')
  })

  it('of rows is their reason, whatever the device has', () => {
    const text = '门店 没有到 10.4.0.9 的路由：被第3行前缀规则拒绝'
    for (const via of [null, { link: LINK }, { wan: true }] as const) {
      expect(judge(hop({ intended: { none: '被第3行前缀规则拒绝' } }), answer(via)).verdict).toEqual({ ok: 0, text })
    }
  })

  it('of a LAN is its interface', () => {
    const text = '门店 应送达本地网段10.4.0.0/24，实际没有路由：LAN接口未连接，或设备未声明该网段'
    expect(judge(hop({ intended: { local: 'lan' } }), answer(null)).verdict).toEqual({ ok: 0, text })
  })
})
