import { screen, within } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { linkId, trunkId } from '#domain/network/members/links.ts'
import { watchedIds } from '#pages/network/link-rates.ts'
import { emitFrame, watchedBy } from '#tests/web/lib/fake-live.ts'
import { link, member } from '../member.ts'
import { at, info, members, open, status } from '../open-network.tsx'

vi.mock('#lib/live/live-connection.ts', () => import('#tests/web/lib/fake-live.ts'))

afterEach(() => localStorage.clear())

const tunnel = { cipher: 'AES-256-GCM', loss: 0, client_remote: '', server_remote: '' }

it('watches the trunks of centres and nodes in the drawing, and the selected link everywhere', () => {
  const names = Array.from({ length: 10 }, (_, i) => member(`c${i}`, { role: 'center' }))
  const links = [{ ...link('p1', 'NODE-1'), kind: 'pop' as const }]
  const of = { members: [...names.slice(0, 2), member('p1')], links }
  expect(watchedIds(of, null, true)).toEqual(['c0', 'c1', 'NODE-1'].map(trunkId))
  expect(watchedIds(of, { kind: 'links', ids: ['x'] }, true)[0]).toBe('x')
  expect(watchedIds(of, { kind: 'links', ids: ['x'] }, false)).toEqual(['x'])
  expect(watchedIds(of, { kind: 'links', ids: ['x', 'y'] }, false)).toEqual([])
  expect(watchedIds({ members: names, links: [] }, null, true)).toHaveLength(8)
})

it('shows the throughput of a selected link while samples come, and else that nothing counts it', async () => {
  const links = [{ ...link('p1', 'c1'), tunnel }]
  const listed = { 'network/info': info(members, { link: links }), 'network/status': status(members, links) }
  const { id } = links[0]!
  open(listed, {}, at(`view=table&link=${encodeURIComponent(id)}`))
  const facts = within((await screen.findByText('吞吐')).parentElement!)
  expect(facts.getByText('未统计')).not.toBeNull()
  await vi.waitFor(() => expect(watchedBy('network')).toEqual([id]))
  await emitFrame('network', { type: 'link_rates', data: { [id]: { down: 12_300_000, upload: 4_500_000, time: 1 } } })
  expect([facts.getByText('↓ 12.30 Mbit/s'), facts.getByText('↑ 4.50 Mbit/s')]).toHaveLength(2)
  await emitFrame('network', {
    type: 'link_rates',
    data: { [linkId('N1', 'p2', 'c1')]: { down: 1, upload: 1, time: 2 } },
  })
  expect([facts.getByText('↓ 12.30 Mbit/s'), facts.getByText('↑ 4.50 Mbit/s')]).toHaveLength(2)
})
