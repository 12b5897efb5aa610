import { describe, expect, it } from 'vitest'
import { isTicketOf, step } from '#durable/router-hub/state/machine.ts'
import { type RouterFacts, blankRouter, unknownRouter } from '#durable/router-hub/state/storage.ts'

const FACTS: RouterFacts = { ...unknownRouter, accountId: 1, deviceId: 2, keyFingerprint: 'k', routerName: 'R' }
const DEVICE = {
  accountId: 1,
  deviceId: 2,
  keyFingerprint: 'k',
  routerName: 'R',
  serial: 'R',
  remoteHost: '203.0.113.7',
  remotePort: 0,
  tokenId: 't',
}

/** Generation after a read of the row. */
function readAfter(
  generation: number | null | undefined,
  over: { enabled?: boolean; keyFingerprint?: string | null } = {},
) {
  const { enabled = true, ...facts } = over
  const router = { ...FACTS, ...(generation !== undefined && { generation }) }
  const rows = { enabled, hash: 'h', isEmpty: false, floor: 0, linkIds: new Set<string>() }
  const { state } = step(
    { ...blankRouter, router },
    { type: 'refreshed', router: { ...FACTS, ...facts }, ...rows },
    1_000,
  )
  return state.router
}

describe('hubs.md, Connect · generation of return tickets', () => {
  it('outlives a read of an enabled router with a key, and a change of its networks', () => {
    expect(readAfter(7)?.generation).toBe(7)
  })

  it.each([
    ['the router is disabled', { enabled: false }],
    ['the device has no key', { keyFingerprint: null }],
  ])('ends with a read by which %s', (_, over) => {
    for (const before of [7, null, undefined]) expect(readAfter(before, over)?.generation).toBeNull()
  })

  it('that has ended is not back with the right to connect', () => {
    for (const before of [null, undefined]) expect(readAfter(before)).not.toHaveProperty('generation')
  })

  it('is dropped by a release that does not know it', () => {
    const { generation: _, ...dropped } = { ...FACTS, generation: 7 }
    expect(isTicketOf(dropped, DEVICE, 7)).toBe(false)
  })

  it.each([
    ['the device of the row', FACTS, 7, true],
    ['another generation', FACTS, 8, false],
    ['another account', { ...FACTS, accountId: 9 }, 7, false],
    ['another device', { ...FACTS, deviceId: 9 }, 7, false],
    ['another key', { ...FACTS, keyFingerprint: 'other' }, 7, false],
    ['no key', { ...FACTS, keyFingerprint: null }, 7, false],
  ] as const)('counts only for owner, key and generation of the facts: %s', (_, facts, generation, counts) => {
    expect(isTicketOf({ ...facts, generation: 7 }, DEVICE, generation)).toBe(counts)
  })
})
