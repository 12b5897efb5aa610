import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createRef } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { evaluateNetwork } from '#domain/health/network.ts'
import { createStore } from '#lib/store.ts'
import { Topology, type TopologyHandle, type TopologyProps } from '#pages/network/topology/topology.tsx'
import type { Link } from '#pages/network/live-network.ts'
import { link, member } from '../member.ts'
import { network } from './shapes.ts'

/** A phone: the same model as the drawing, without X6, which needs a browser. */
beforeEach(() => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) => ({ matches: query.includes('max-width'), addEventListener() {}, removeEventListener() {} }) as never,
  )
  Element.prototype.scrollIntoView = () => {}
})
afterEach(() => void vi.restoreAllMocks())

const of = network(2, 4, 3, (p, c) => (p === 1 && c === 1 ? 'down' : 'up'))
const props: Omit<TopologyProps, 'affected'> = {
  networkName: '总部互联',
  popName: '',
  projection: of,
  isStale: false,
  search: '',
  dimmed: null,
  selected: null,
  rates: createStore({}),
  onSelect: () => {},
}
const open = (over: Partial<TopologyProps> = {}) => {
  const handle = createRef<TopologyHandle>()
  const topology = (next: Partial<TopologyProps>) => {
    const { members, links } = next.projection ?? of
    return <Topology ref={handle} affected={evaluateNetwork(members, links).affected} {...props} {...next} />
  }
  const view = render(topology(over))
  return {
    ...view,
    handle,
    show: (next: Partial<TopologyProps>) => view.rerender(topology(next)),
  }
}
const node = (name: RegExp) => screen.getByRole('button', { name })

describe('the topology on a phone', () => {
  it('is a strip of centres with their links and a grid of nodes, each with its ports', () => {
    const { container } = open()
    const centers = within(screen.getByRole('region', { name: '中心点 2' }))
    expect(centers.getAllByRole('button').map((one) => one.textContent)).toEqual([
      expect.stringContaining('4/4'),
      expect.stringContaining('3/4'),
    ])
    const points = within(screen.getByRole('region', { name: '普通点 4' }))
    expect(points.getAllByRole('button')).toHaveLength(4)
    expect(node(/^p1/).querySelector('.nl-port-down')?.getAttribute('d')).not.toBe('')
    expect(node(/^p2/).querySelector('.nl-port-down')?.getAttribute('d')).toBe('')
    expect(node(/^p1/).textContent).toContain('单中心')
    expect(container.querySelector('[role=application]')).toBeNull()
    expect(within(screen.getByRole('list', { name: '图例' })).getByText('链路断开')).toBeTruthy()
  })

  it('without centres has a row for each link, the worst first, and counts them at both ends', async () => {
    const onSelect = vi.fn<TopologyProps['onSelect']>()
    const user = userEvent.setup()
    const { members } = network(0, 3)
    const pair = (client: string, server: string, state: Link['state']): Link => ({
      ...link(client, server, state),
      kind: 'point',
      rtt_ms: state === 'up' ? 12 : null,
    })
    open({ onSelect, projection: { members, links: [pair('p0', 'p1', 'up'), pair('p0', 'p2', 'down')] } })
    const rows = within(screen.getByRole('region', { name: '互联链路 2' })).getAllByRole('button')
    expect(rows.map((row) => row.textContent)).toEqual([
      expect.stringMatching(/^p0 ↔ p2断开$/),
      expect.stringMatching(/^p0 ↔ p1连通12.* ms$/),
    ])
    const points = within(screen.getByRole('region', { name: '普通点 3' }))
    expect(points.getByRole('button', { name: /^p0/ }).textContent).toContain('1/2')
    await user.click(rows[1]!)
    expect(onSelect).toHaveBeenCalledWith({ kind: 'links', ids: ['p0>p1'] })
  })

  it('names POP nodes by their area with their links, which a press opens', async () => {
    const onSelect = vi.fn<TopologyProps['onSelect']>()
    const { members, links } = network(1, 2)
    const toPop = (client: string): Link => ({ ...link(client, 'POP-1'), kind: 'pop', center_router_name_note: '上海' })
    open({ onSelect, projection: { members, links: [...links, toPop('p0'), toPop('p1')] } })
    const pop = within(screen.getByRole('region', { name: 'POP' })).getByRole('button', { name: /^上海/ })
    expect(pop.textContent).toContain('2/2')
    await userEvent.setup().click(pop)
    expect(onSelect).toHaveBeenCalledWith({ kind: 'links', ids: ['p0>POP-1', 'p1>POP-1'] })
    expect(screen.queryByRole('region', { name: /互联链路/ })).toBeNull()
  })

  it('opens a member, and unfolds software members in place', async () => {
    const onSelect = vi.fn<TopologyProps['onSelect']>()
    const user = userEvent.setup()
    open({ onSelect })
    await user.click(node(/^p2/))
    expect(onSelect).toHaveBeenCalledWith({ kind: 'member', name: 'p2' })
    expect(screen.queryByRole('button', { name: /^s1/ })).toBeNull()
    await user.click(node(/^软件成员/))
    expect(node(/^软件成员/).getAttribute('aria-expanded')).toBe('true')
    expect(node(/^s1/)).toBeTruthy()
  })

  it('says how many match a search, and walks through them by its handle', () => {
    const { handle, show } = open({ search: 'p' })
    expect(screen.getByText('找到 4')).toBeTruthy()
    const step = (by: 1 | -1) => {
      handle.current?.step(by)
      show({ search: 'p' })
    }
    step(1)
    expect(screen.getByText('1/4')).toBeTruthy()
    step(-1)
    expect(screen.getByText('4/4', { selector: '[role=status]' })).toBeTruthy()
    show({ search: 'nobody' })
    expect(screen.getByText('未找到')).toBeTruthy()
  })

  it('shows a folded member that the walk comes to', () => {
    const { handle, show } = open({ search: 's2' })
    expect(screen.queryByRole('button', { name: /^s2/ })).toBeNull()
    handle.current?.step(1)
    show({ search: 's2' })
    expect(node(/^s2/)).toBeTruthy()
  })

  it.each([
    ['没有异常', network(1, 3)],
    ['没有符合筛选条件的成员', of],
  ])('says %s where a filter leaves nobody', (text, projection) => {
    const { show } = open({ projection, dimmed: () => true })
    expect(screen.getByText(text)).toBeTruthy()
    show({ projection, dimmed: ({ router_name }) => router_name !== 'p1' })
    expect(screen.queryByText(text)).toBeNull()
  })

  it('folds nobody whom the page counts as abnormal', () => {
    const many = network(1, 90)
    const counted = { abnormal: new Set(['p77']), singleCenter: new Set<string>(), suspected: new Set<string>() }
    const { show } = open({ projection: many, affected: counted })
    expect(node(/^p77/)).toBeTruthy()
    show({ projection: many, affected: { ...counted, abnormal: new Set() } })
    expect(screen.queryByRole('button', { name: /^p77/ })).toBeNull()
  })

  it('of more than 200 points has nodes for the abnormal ones, and one block for the others', async () => {
    const states = Array.from({ length: 210 }, (_, i) => (i === 77 ? ('offline' as const) : ('online' as const)))
    open({ projection: network(1, states) })
    const points = within(screen.getByRole('region', { name: '普通点 210' }))
    expect(points.getAllByRole('button')).toHaveLength(2)
    expect(node(/^p77/)).toBeTruthy()
    await userEvent.setup().click(node(/^＋209 正常/))
    expect(points.getAllByRole('button')).toHaveLength(2 + 209)
  })

  it('is grey and says so while the channel is down', () => {
    const { container } = open({ isStale: true })
    expect(container.querySelector('.nl-stale')).not.toBeNull()
    expect(screen.getByText('最后已知状态')).toBeTruthy()
  })

  it('of a network without members says so', () => {
    open({ projection: { members: [], links: [] } })
    expect(screen.getByText('暂无成员')).toBeTruthy()
  })

  it('brings an abnormal node to the front, but not while a member is selected or the pointer is inside', async () => {
    const user = userEvent.setup()
    const { show, container } = open({ selected: 'p0' })
    const order = () =>
      within(screen.getByRole('region', { name: '普通点 4' }))
        .getAllByRole('button')
        .map((one) => one.querySelector('b')?.textContent)
    expect(order()).toEqual(['p1', 'p0', 'p2', 'p3'])
    const members = of.members.map((one) => (one.router_name === 'p3' ? member('p3', { state: 'offline' }) : one))
    const projection = { members, links: of.links }
    show({ projection, selected: 'p0' })
    expect(order()).toEqual(['p1', 'p0', 'p2', 'p3'])
    show({ projection })
    expect(order()).toEqual(['p1', 'p3', 'p0', 'p2'])
    await user.hover(screen.getByRole('region', { name: '普通点 4' }))
    show({ projection: of })
    expect(order()).toEqual(['p1', 'p3', 'p0', 'p2'])
    await user.unhover(container)
  })
})
