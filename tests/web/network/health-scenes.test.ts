import { expect, it } from 'vitest'
import { type LinkState, PRESENCE_STATES, type PresenceState } from '#contract/kernel/protocol.ts'
import { NETWORK_HEALTH_WORD } from '#contract/kernel/states.ts'
import { toLinkState } from '#domain/health/link.ts'
import { evaluateNetwork } from '#domain/health/network.ts'
import { withSuspension } from '#domain/health/suspension.ts'
import { linksText } from '#lib/format/links-text.ts'
import { healthFacts, membersText } from '#pages/network/network-text.ts'
import { memberLinksText } from '#pages/network/members/member-columns.tsx'
import { openedText } from '#pages/network/topology/node-style.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { link, member } from './member.ts'

/* Contract × presence of a centre and a point × knowledge of their link: one verdict, whose colour never contradicts numbers. */

const CONTRACTS = {
  used: { isSuspended: false, suspendedAt: null, isWithdrawn: false },
  suspended: { isSuspended: true, suspendedAt: 1_000, isWithdrawn: false },
  withdrawn: { isSuspended: true, suspendedAt: 1_000, isWithdrawn: true },
} as const
/** Reports of the point and of the centre; null: none since the reconnect. */
const REPORTS = { both: [true, true], one: [true, false], neither: [false, false], none: [null, null] } as const
type Scene = [keyof typeof CONTRACTS, PresenceState, PresenceState, keyof typeof REPORTS]

const SCENES = (Object.keys(CONTRACTS) as Scene[0][]).flatMap((contract) =>
  PRESENCE_STATES.flatMap((center) =>
    PRESENCE_STATES.flatMap((point) =>
      (Object.keys(REPORTS) as Scene[3][]).map((reports): Scene => [contract, center, point, reports]),
    ),
  ),
)

function showScene([contract, center, point, reports]: Scene) {
  const members = [member('c1', { role: 'center', state: center }), member('p1', { state: point })]
  const [client, server] = REPORTS[reports]
  const { state, reason } = toLinkState(
    { name: 'p1', presence: point, up: client },
    { name: 'c1', presence: center, up: server },
  )
  const links = contract === 'withdrawn' ? [] : [{ ...link('p1', 'c1', state), reason }]
  const health = withSuspension(evaluateNetwork(members, links, CONTRACTS[contract]).health, CONTRACTS[contract])
  return { health, links, state }
}

const ZERO = /(^|[^\d,/])0(?![\d:])/

const zerosBeside = ({ health }: ReturnType<typeof showScene>) =>
  health.state === 'ok' ? [...healthFacts(health), membersText(health.members)].filter((fact) => ZERO.test(fact)) : []

it('no green word stands beside a zero, and no suspension is green', async () => {
  const offenders = await findOffenders(SCENES)((...scene) => {
    const shown = showScene(scene)
    expect(zerosBeside(shown)).toEqual([])
    expect(shown.health.state === 'suspended').toBe(scene[0] !== 'used')
  })
  expect(offenders).toEqual([])
})

const LINK_TEXT: Readonly<Record<LinkState, string>> = {
  up: '1/1',
  down: '0/1',
  one_sided: '0/1',
  unknown: '未知 1',
  never: '未开通',
}

it('each state but 运行正常 has a sentence, and an unknown link is called neither up nor down', async () => {
  const offenders = await findOffenders(SCENES)((...scene) => {
    const { health, links, state } = showScene(scene)
    const isUnknown = health.state === 'unknown'
    expect(health.cause === '').toBe(health.state === 'ok')
    expect(health.state === 'ok' && health.links.unknown > 0).toBe(false)
    expect(isUnknown && !/^(链路状态未知，.+（1）|没有连通的链路，设备重连中)$/.test(health.cause)).toBe(false)
    const expected = links.length === 0 ? [] : [LINK_TEXT[state], LINK_TEXT[state]]
    expect(links.length === 0 ? [] : [openedText(links), memberLinksText(links)]).toEqual(expected)
  })
  expect(offenders).toEqual([])
})

it('each state has a word of its own, and links have three numbers', () => {
  expect(new Set(Object.values(NETWORK_HEALTH_WORD)).size).toBe(6)
  expect(linksText({ up: 64, unknown: 0, total: 66 })).toBe('64/66')
  expect(linksText({ up: 0, unknown: 183, total: 188 })).toBe('0/188（未知 183）')
  expect(linksText({ up: 1, unknown: 2, total: 4_000, never: 9 })).toBe('1/4,000（未知 2 · 未开通 9）')
  expect(linksText({ up: 0, unknown: 3_719, total: 3_719, never: 9 })).toBe('未知 3,719（未开通 9）')
  expect(linksText({ up: 0, unknown: 0, total: 0, never: 2 })).toBe('未开通 2')
  expect(linksText({ up: 0, unknown: 0, total: 0 })).toBe('未开通')
})
