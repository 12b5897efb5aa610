import { describe, expect, it } from 'vitest'
import { DAY, NOW, away, inNetwork, kinds, link, member, network, rows, suspicion } from './attention-fixture.ts'

describe('待处理 · devices behind one public address', () => {
  it('are suspected together, over networks and while presence decides one by one', () => {
    const presence = { state: 'online', since: NOW - DAY, last_seen: NOW, reason: '' } as const
    const at = { remoteHost: '203.0.113.7', presence }
    const stores = ['p1', 'p2'].map((name) => member(name, 'online', { ...inNetwork('point'), ...at }))
    const lab = member('p3', 'online', { ...inNetwork('point', 'N2'), ...at })
    const centers = ['c1', 'c2'].map((name) =>
      member(name, 'online', {
        networks: ['N1', 'N2'].map((number) => ({ number, memberType: 'center' as const })),
        presence,
      }),
    )
    const problemsOf = (routerName: string) =>
      ['c1', 'c2'].map((centerRouterName) => ({ ...link('link_one_sided'), routerName, centerRouterName }))
    const networks = [
      network('N1', {
        problems: [...problemsOf('p1'), ...problemsOf('p2')],
        checked: { p1: 2, p2: 2, c1: 9, c2: 9, '': 18 },
      }),
      network('N2', { problems: problemsOf('p3'), checked: { p3: 2, c1: 4, c2: 4, '': 8 } }),
    ]
    const suspected = rows({ members: [...stores, lab, ...centers], networks })
    expect(suspected).toMatchObject([
      {
        kind: 'suspected',
        target: { type: 'members' },
        name: '3 台硬件',
        cause: '疑似失联，都在公网地址 203.0.113.7 之后：6 条链路同时单边',
      },
    ])
    const first = away('p1', 60, { ...inNetwork('point'), remoteHost: at.remoteHost })
    const [, second] = stores
    expect(kinds({ members: [first, second!, lab, ...centers], networks })).toEqual([['suspected', '3 台硬件']])
    const alike = away('p2', 58, { ...inNetwork('point'), remoteHost: at.remoteHost })
    const late = rows({ members: [first, alike, lab, ...centers], networks })
    expect(late).toMatchObject([{ kind: 'suspected', name: '3 台硬件' }])
    expect(late[0]?.cause).toContain('2 条链路同时单边')
    const long = away('p2', 600, { ...inNetwork('point'), remoteHost: at.remoteHost })
    expect(kinds({ members: [first, long, lab, ...centers], networks })).not.toContainEqual(['suspected', '3 台硬件'])
    const elsewhere = { ...lab, remoteHost: '203.0.113.8' }
    expect(kinds({ members: [...stores, elsewhere, ...centers], networks })).not.toContainEqual([
      'suspected',
      '3 台硬件',
    ])
  })

  it('are one row where a network’s hub has found them, and where only its parts over several networks show them', () => {
    const presence = { state: 'online', since: NOW - DAY, last_seen: NOW, reason: '' } as const
    const at = { remoteHost: '203.0.113.7', presence }
    const names = ['p1', 'p2', 'p3']
    const stores = names.map((name) => member(name, 'online', { ...inNetwork('point'), ...at }))
    const checked = { p1: 2, p2: 2, p3: 2, c1: 4, c2: 4, '': 8 }
    const site = suspicion({ role: 'site', routerName: at.remoteHost, oneSided: 6, members: 3, names })
    expect(kinds({ members: stores, networks: [network('N1', { causes: [site], checked })] })).toEqual([
      ['suspected', '3 台硬件'],
    ])
    const together = ['c1', 'c2'].map((routerName) => suspicion({ routerName, oneSided: 3, isPartial: true, names }))
    const wide = { ...checked, c1: 9, c2: 9, '': 18 }
    expect(kinds({ members: stores, networks: [network('N1', { causes: together, checked: wide })] })).toEqual([
      ['suspected', '3 台硬件'],
    ])
  })
})
