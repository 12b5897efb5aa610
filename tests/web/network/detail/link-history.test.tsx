import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { link } from '../member.ts'
import { at, info, members, open, status } from '../open-network.tsx'

vi.mock('#ui/chart/chart-canvas.tsx', () => ({ default: () => null }))

const MINUTE = 60_000
const TO = Date.parse('2026-07-01T04:00:00Z')
const point = (minutes: number, over: object = {}) => ({
  time: TO - minutes * MINUTE,
  rtt_ms: 20,
  rtt_max_ms: 35,
  loss: 15,
  up: 1,
  ...over,
})
const history = (over: object = {}) => ({
  data: {
    from: TO - 60 * MINUTE,
    to: TO,
    step_ms: MINUTE,
    points: [point(2), point(1, { rtt_ms: null, rtt_max_ms: null, loss: 1000, up: 0 }), point(0)],
    events: [
      { time: TO - 30_000, up: 1, reason: '' },
      { time: TO - 90_000, up: 0, reason: '对端无应答' },
    ],
    ...over,
  },
})
const { id } = link('p1', 'c1')

async function openHistory(handlers: Parameters<typeof open>[0]) {
  const links = [link('p1', 'c1')]
  const listed = { 'network/info': info(members, { link: links }), 'network/status': status(members, links) }
  const page = open({ ...listed, ...handlers }, {}, at(`view=table&link=${encodeURIComponent(id)}`))
  await userEvent.click(await screen.findByRole('tab', { name: '历史' }))
  return page
}

it('shows latency and loss of a link with their figures, and its ups and downs as a list', async () => {
  const { api } = await openHistory({ 'network/link_history': history() })
  expect((await screen.findByRole('img', { name: /^时延 的时延曲线/ })).getAttribute('aria-label')).toMatch(
    /时延平均 20.0 ms，峰值 20.0 ms；最大平均 35.0 ms/,
  )
  expect(screen.getByRole('img', { name: /^丢包 的丢包曲线/ }).getAttribute('aria-label')).toMatch(/峰值 100%/)
  const changes = within(screen.getByRole('list', { name: '通断记录' })).getAllByRole('listitem')
  expect(changes.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^连通/),
    expect.stringMatching(/断开.*对端无应答$/),
  ])
  expect(api.last('network/link_history')?.input).toEqual({ network_number: 'N1', id, range: 'hour' })
  await userEvent.click(screen.getByRole('button', { name: '30 天' }))
  await vi.waitFor(() => expect(api.last('network/link_history')?.input).toMatchObject({ range: 'month' }))
})

it('says so where nothing was measured, and a failed read can be repeated', async () => {
  const { api } = await openHistory({ 'network/link_history': { code: 500, msg: '服务繁忙' } })
  const retry = await screen.findByRole('button', { name: '重试' })
  api.set('network/link_history', history({ points: [], events: [] }))
  await userEvent.click(retry)
  expect(await screen.findAllByText('该时段没有探测数据')).toHaveLength(2)
  screen.getByText('该时段没有通断记录')
})
