import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { ServiceListPage } from '#pages/account/services/service-list-page.tsx'
import { openPage } from '../network/open-page.tsx'

const service = (service_name: string, over: object) => ({
  service_name,
  quantity: 100,
  start_time: Date.parse('2026-01-01T00:00:00+08:00'),
  expired_time: Date.parse('2027-01-01T00:00:00+08:00'),
  kind: 'network_member',
  state: 'active',
  days_left: 40,
  quota: { used: 42, total: 100 },
  stops: '席位减少',
  ...over,
})
const ROWS = [
  service('标准版', {}),
  service('快到期', { state: 'ending', days_left: 3, kind: 'software_member', quota: { used: 12, total: 10 } }),
  service('过期', { state: 'expired', days_left: 0 }),
  service('明年', { state: 'pending', kind: 'bandwidth', quota: null, days_left: 400 }),
]
const findRow = async (name: string) => within((await screen.findByText(name)).closest('tr')!)

it('account 2 · services with state, what is left, what is in use and what stops; renewed by a ticket', async () => {
  openPage(<ServiceListPage />, '/account/service', { 'account/service': { data: ROWS, count: 4 } })
  const first = await findRow('标准版')
  for (const text of [
    '生效中',
    '100 个',
    '42 / 100',
    '2026-01-01 00:00:00',
    '2027-01-01',
    '还有 40 天',
    '席位减少',
    '组网席位',
  ])
    expect(first.getByText(text)).not.toBeNull()
  expect(first.getByRole('link', { name: '续费 标准版' }).getAttribute('href')).toBe(
    `/ticket/create?service_name=${encodeURIComponent('标准版')}`,
  )
  const ending = await findRow('快到期')
  expect(ending.getByText('即将到期')).not.toBeNull()
  expect(ending.getByText('还有 3 天').className).toContain('nl-expiry-urgent')
  expect(ending.getByText('12 / 10').className).toContain('urgent')
  const expired = await findRow('过期')
  expect(expired.getAllByText('已到期')).toHaveLength(2)
  expect(expired.queryByText('42 / 100')).toBeNull()
  const pending = await findRow('明年')
  expect(pending.getByText('未生效')).not.toBeNull()
  expect(pending.getByText('100 Mbps')).not.toBeNull()
})

it('account 8 · an account without services', async () => {
  openPage(<ServiceListPage />, '/account/service', { 'account/service': { data: [], count: 0 } })
  expect(await screen.findByText('好像没有什么东西哦！')).not.toBeNull()
})
