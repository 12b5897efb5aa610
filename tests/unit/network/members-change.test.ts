import { describe, expect, it } from 'vitest'
import {
  MEMBERS_CHANGE,
  type MemberEvent,
  changedMembers,
  consequenceOf,
  droppedSettings,
  losesPointLinks,
} from '#domain/network/members/change.ts'
import { DEFAULT_NETWORK_SETTINGS } from '#domain/network/history/stored-settings.ts'
import { createMember } from './members.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const NETWORK = { name: '总部' }
const EVENTS: readonly MemberEvent[] = ['joins', 'promoted', 'demoted', 'leaves', 'deleted', 'disabled']
const PORTS = { public_ip: '203.0.113.1', public_port: 5000, static_port: 6000 }
const LINK = { enable: 1, server: 1, gateway: '172.31.0.0', mask: 30, ports: PORTS } as const
const ROUTING = { type: 2, main: 1, secondary: 2 } as const
const OFF = { ...DEFAULT_NETWORK_SETTINGS.center_link }
const settings = {
  routing: { routing: ROUTING, center_link: OFF },
  center_link: { routing: DEFAULT_NETWORK_SETTINGS.routing, center_link: LINK },
}
const center = (event: MemberEvent, routerId = 1) => [{ routerId, label: `C${routerId}`, event, isCenter: true }]

// Every cell, written out: what a change of the table has to change here, too.
const CELLS: Readonly<Record<keyof typeof MEMBERS_CHANGE, readonly string[]>> = {
  //            joins      promoted   demoted    leaves     deleted    disabled
  routing: ['keep', 'keep', 'confirm', 'confirm', 'confirm', 'confirm'],
  center_link: ['confirm', 'confirm', 'confirm', 'confirm', 'confirm', 'confirm'],
  point_link: ['keep', 'drop', 'drop', 'drop', 'drop', 'keep'],
  gateway: ['keep', 'keep', 'drop', 'drop', 'drop', 'keep'],
  pool: ['keep', 'keep', 'drop', 'drop', 'drop', 'keep'],
  fixed_port: ['keep', 'keep', 'drop', 'drop', 'drop', 'keep'],
  default_route: ['keep', 'keep', 'keep', 'drop', 'drop', 'keep'],
  quagga: ['keep', 'keep', 'keep', 'drop', 'drop', 'keep'],
  ov: ['keep', 'keep', 'keep', 'drop', 'drop', 'keep'],
  software_mode: ['keep', 'keep', 'keep', 'drop', 'drop', 'keep'],
}
const cells = Object.entries(CELLS).flatMap(([concern, row]) =>
  row.map((outcome, i) => [concern as keyof typeof MEMBERS_CHANGE, EVENTS[i]!, outcome] as const),
)

/** Outcome of the functions, in the words of the table. */
function outcomeOf(concern: keyof typeof MEMBERS_CHANGE, event: MemberEvent): string {
  if (concern === 'point_link') return losesPointLinks({ event }) ? 'drop' : 'keep'
  if (concern !== 'routing' && concern !== 'center_link')
    return droppedSettings(event).includes(concern) ? 'drop' : 'keep'
  const asked = consequenceOf(NETWORK, settings[concern], center(event), false)
  const done = consequenceOf(NETWORK, settings[concern], center(event), true)
  const isEnded = done.refused === null && Object.keys(done.set).join() === concern
  return asked.refused !== null && isEnded ? 'confirm' : 'keep'
}

describe('network 4 · settings after a change of members', () => {
  it('each setting has its outcome of each event', async () => {
    const offenders = await findOffenders(cells)((concern, event, outcome) => {
      expect(MEMBERS_CHANGE[concern][event]).toBe(outcome)
      expect(outcomeOf(concern, event)).toBe(outcome)
    })
    expect(offenders).toEqual([])
  })

  it('a backup router is refused like a main one, any other centre and any point is not', () => {
    expect(consequenceOf(NETWORK, settings.routing, center('leaves', 2), false).refused).toEqual({
      key: 'ROUTER_IN_ROUTING',
      params: { name: 'C2', network: '总部' },
    })
    expect(consequenceOf(NETWORK, settings.routing, center('leaves', 3), false).refused).toBeNull()
    const point = [{ routerId: 1, label: 'P1', event: 'leaves', isCenter: false }] as const
    expect(consequenceOf(NETWORK, settings.center_link, point, false).refused).toBeNull()
  })
  it('both ends of an enabled twin-centre link are refused, those of one that is off are not', () => {
    for (const id of [1, 2])
      expect(consequenceOf(NETWORK, settings.center_link, center('demoted', id), false).refused).toMatchObject({
        key: 'ROUTER_IN_CENTER_LINK',
      })
    const off = { ...settings.center_link, center_link: { ...LINK, enable: 0 } } as const
    expect(consequenceOf(NETWORK, off, center('leaves', 2), false)).toMatchObject({ refused: null, set: {} })
  })
  it('a third centre is refused by the number of centres', () => {
    expect(consequenceOf(NETWORK, settings.center_link, center('joins', 3), false).refused).toMatchObject({
      key: 'CENTER_LINK_HAS_TWO',
    })
  })
  it('confirmed, routing shares the load again and the link is off; a server that goes is forgotten with its ports', () => {
    expect(consequenceOf(NETWORK, { ...settings.routing, center_link: LINK }, center('leaves'), true)).toEqual({
      refused: null,
      set: {
        routing: { type: 1, main: null, secondary: null },
        center_link: {
          ...LINK,
          enable: 0,
          server: null,
          ports: { public_ip: null, public_port: null, static_port: null },
        },
      },
      ended: { routing: ROUTING, centerLink: true },
    })
    expect(consequenceOf(NETWORK, settings.center_link, center('disabled'), true).set).toEqual({
      center_link: { ...LINK, enable: 0 },
    })
    expect(consequenceOf(NETWORK, settings.center_link, center('leaves', 2), true).set).toEqual({
      center_link: { ...LINK, enable: 0 },
    })
  })
  it('a server of a link that is off is forgotten without a question', () => {
    const off = { ...settings.center_link, center_link: { ...LINK, enable: 0 } } as const
    expect(consequenceOf(NETWORK, off, center('deleted'), false)).toMatchObject({
      refused: null,
      set: { center_link: { server: null, enable: 0 } },
      ended: { routing: null, centerLink: false },
    })
  })
})

describe('network 4 · differences between two lists of members', () => {
  const one = createMember({ routerName: 'C1', memberType: 'center' })
  const two = createMember({ routerName: 'C2', note: '二号', memberType: 'center' })
  const point = createMember({ routerName: 'P3' })
  it('names the change of each member; a point that joins has none', () => {
    const after = [
      { ...one, memberType: 'point' as const },
      { ...point, memberType: 'center' as const },
    ]
    expect(changedMembers([one, two, point], after)).toEqual([
      { routerId: 2, label: '二号', event: 'leaves', isCenter: true },
      { routerId: 1, label: 'C1', event: 'demoted', isCenter: true },
      { routerId: 3, label: 'P3', event: 'promoted', isCenter: true },
    ])
    expect(changedMembers([one], [one, two, point])).toEqual([
      { routerId: 2, label: '二号', event: 'joins', isCenter: true },
    ])
  })
})
