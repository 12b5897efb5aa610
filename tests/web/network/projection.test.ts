import { describe, expect, it } from 'vitest'
import type { MemberView } from '#contract/kernel/protocol.ts'
import { EMPTY, type Member, type Projection, step } from '#pages/network/live-network.ts'
import { link, member } from './member.ts'

const toView = ({ router_name, router_type, member_type, presence, config }: Member): MemberView => ({
  router_name,
  router_type,
  member_type,
  presence,
  config,
})
const info = (members: Member[], links = [link('p1', 'c1')]) => ({
  type: 'info' as const,
  info: { member: members, link: links },
})
const c1 = member('c1', { role: 'center' })
const p1 = member('p1')
const p2 = member('p2')
const start = step(EMPTY, info([c1, p1, p2]))
const stateOf = (projection: Projection, name: string) =>
  projection.members.find(({ router_name }) => router_name === name)?.presence.state

describe('the projection', () => {
  it('applies a delta, and keeps unchanged objects', () => {
    const next = step(start, {
      type: 'delta',
      seq: 1,
      view: { members: [toView(member('p1', { state: 'offline' }))], links: [link('p1', 'c1', 'down')] },
    })
    expect(stateOf(next, 'p1')).toBe('offline')
    expect(next.links[0]?.state).toBe('down')
    expect(next.members[0]).toBe(start.members[0])
    expect(next.members[2]).toBe(start.members[2])
    expect(next.isBehind).toBe(false)
  })

  it('a live frame changes the state of a link, not the notes and the address that were read', () => {
    const facts = {
      router_name_note: '上海',
      center_router_name_note: '总部',
      vpn_ip: '100.64.0.3',
      center_vpn_ip: '100.64.0.1',
    }
    const read = step(EMPTY, info([c1, p1], [{ ...link('p1', 'c1'), ...facts }]))
    const down = step(read, { type: 'delta', seq: 1, view: { members: [], links: [link('p1', 'c1', 'down')] } })
    expect(down.links[0]).toMatchObject({ ...facts, state: 'down', vpn_online: 0, vpn_online_time: null })
  })

  it('an unchanged snapshot keeps all members and links', () => {
    const view = { seq: 5, members: [c1, p1, p2].map(toView), links: [link('p1', 'c1')] }
    const next = step(start, { type: 'snapshot', view })
    expect(next.members.every((one, index) => one === start.members[index])).toBe(true)
    expect(next.links[0]).toBe(start.links[0])
  })

  it('a poll is applied like a snapshot', () => {
    const members = [c1, p1, member('p2', { state: 'flapping' })].map(toView)
    const next = step(start, {
      type: 'poll',
      status: { seq: 1, members, link: [link('p1', 'c1', 'one_sided')], online: {} },
    })
    expect(stateOf(next, 'p2')).toBe('flapping')
    expect(next.links[0]?.state).toBe('one_sided')
  })

  it('an answer older than the socket changes nothing', () => {
    const late = step(start, { type: 'snapshot', view: { seq: 9, members: [c1, p1, p2].map(toView), links: [] } })
    const members = [c1, p1, member('p2', { state: 'offline' })].map(toView)
    expect(step(late, { type: 'poll', status: { seq: 8, members, link: [], online: {} } })).toBe(late)
    expect(stateOf(step(late, { type: 'poll', status: { seq: 9, members, link: [], online: {} } }), 'p2')).toBe(
      'offline',
    )
  })

  it('keeps reports of the hub when the rows are read again', () => {
    const offline = step(start, {
      type: 'delta',
      seq: 1,
      view: { members: [toView(member('p1', { state: 'offline' }))], links: [] },
    })
    const again = step(offline, info([member('c1', { role: 'center' }), member('p1', { note: '新备注' }), p2]))
    expect(stateOf(again, 'p1')).toBe('offline')
    expect(again.members[1]?.note).toBe('新备注')
  })

  it.each([
    [
      'a member that is not in the rows',
      { type: 'delta' as const, seq: 1, view: { members: [toView(member('new'))], links: [] } },
    ],
    [
      'a link that is not in the rows',
      { type: 'delta' as const, seq: 1, view: { members: [], links: [link('new', 'c1')] } },
    ],
    [
      'a member missing in a snapshot',
      { type: 'snapshot' as const, view: { seq: 1, members: [toView(c1)], links: [] } },
    ],
    ['a change of membership', { type: 'membership' as const }],
  ])('%s triggers a reload of the rows', (_name, event) => {
    const behind = step(start, event)
    expect(behind.isBehind).toBe(true)
    expect(step(behind, info([c1, p1, p2])).isBehind).toBe(false)
  })
})
