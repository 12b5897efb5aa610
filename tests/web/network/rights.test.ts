import { describe, expect, it } from 'vitest'
import { ERRORS } from '#contract/kernel/errors.ts'
import type { Permission, Grants } from '#contract/kernel/permissions.ts'
import { overQuotaText, suspensionText } from '#pages/network/network-text.ts'
import { createBlocked, memberRights, networkRights } from '#pages/network/rights.ts'

const main: Grants = { kind: 'main', flags: [], networks: null }
const ram = (flags: Permission[], networks: string[] | null = null): Grants => ({ kind: 'ram', flags, networks })
const N1 = { network_number: 'N1', network_status: 1 }
const suspended = { network_number: 'N1', network_status: 0 }
/** free, hidden or blocked, in the order rename, manage, add, remove, resend, delete. */
const summary = (grants: Grants, network: typeof N1) => {
  const { rename, manage, add, remove, resend, delete: gone } = networkRights(grants, network)
  return [rename, manage, add, remove, resend, gone].map((right) => right?.kind ?? 'free').join(' ')
}

describe('actions on a network', () => {
  it.each([
    ['the main account', main, N1, 'free free free free free free'],
    ['a read-only role', ram([]), N1, 'hidden hidden hidden hidden hidden hidden'],
    ['a role that edits', ram(['network:edit']), N1, 'free free free free free hidden'],
    ['a role that deletes', ram(['network:delete']), N1, 'hidden hidden hidden hidden hidden free'],
    ['a role limited to it', ram(['network:edit', 'network:delete'], ['N1']), N1, 'free free free free free free'],
    [
      'a role limited to another',
      ram(['network:edit', 'network:delete'], ['N2']),
      N1,
      'blocked blocked blocked blocked blocked blocked',
    ],
    ['a suspended network: removing stays possible', main, suspended, 'free free blocked free blocked free'],
  ] as const)('%s', (_name, grants, network, expected) => {
    expect(summary(grants, network)).toBe(expected)
  })

  it.each([
    [main, null],
    [ram(['network:create']), null],
    [ram([]), '没有操作权限，请联系主账号授权'],
    [ram(['network:create'], ['N1']), '当前角色仅限指定组网，不能创建组网'],
  ])('creating one: %j', (grants, expected) => {
    expect(createBlocked(grants)).toBe(expected)
  })
})

it('a member that is also in networks beyond the role is not its to change', () => {
  const rights = networkRights(ram(['router:edit', 'network:edit'], ['N1']), N1)
  expect(memberRights(rights, { shared: 0 })).toEqual(rights)
  const { editMember, ...others } = memberRights(rights, { shared: 1 })
  expect(editMember).toEqual({ kind: 'blocked', reason: ERRORS.ROUTER_SHARED.msg })
  expect(others).toEqual({ ...others, set: null, remove: null })
})

describe('the banner of a suspended network', () => {
  it.each([
    [1, 20, 10, null],
    [0, 12, 10, '成员配额不足，组网已停用。续费或移除多余成员后恢复使用。当前超出 2 个成员。'],
    [0, 10, 10, '成员配额不足，组网已停用。续费或移除多余成员后恢复使用。'],
  ])('status %i with %i of %i', (status, used, memberQuota, expected) => {
    expect(overQuotaText(status, { network_router_use: used, network_router_count: memberQuota })).toBe(expected)
  })
})

describe('time since a network was suspended', () => {
  const since = Date.parse('2026-07-01T04:00:00Z')
  const days = 86_400_000
  it('is not said of one in use', () => expect(suspensionText(null, since)).toBe(''))
  it.each([
    [14 * days, /自 2026-07-01 12:00:00 起停用；.*（2026-07-16 12:00:00）将移除/],
    [15 * days, /自 2026-07-01 12:00:00 起停用，已满 15 天，.*已移除；恢复使用后自动重新下发/],
  ])('after %i ms', (ms, banner) => {
    expect(suspensionText(since, since + ms)).toMatch(banner)
  })
})
