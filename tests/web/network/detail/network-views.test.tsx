import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { PROBE_WORD } from '#contract/kernel/states.ts'
import { link, member } from '../member.ts'
import { at, findRow, info, members, open, rowsOf, status } from '../open-network.tsx'

describe('members and links of a network', () => {
  it('shows all members in one table, cuts long notes, and opens hardware in a new tab', async () => {
    open()
    const long = await screen.findByRole<HTMLAnchorElement>('link', { name: '十八个字以上的备注会被截断并保留在提…' })
    expect(long.target).toBe('_blank')
    expect(long.getAttribute('href')).toBe('/router/detail?router_name=p1')
    expect(rowsOf('成员')).toHaveLength(3)
  })

  it('members with a fault come first, then centres, then by name', async () => {
    const list = [member('a1'), member('c1', { role: 'center' }), member('b1'), member('z1', { state: 'offline' })]
    open({ 'network/info': info(list, { link: [] }), 'network/status': status(list) })
    await findRow(/^z1/)
    expect(rowsOf('成员').map((row) => within(row).getByRole('rowheader').textContent?.slice(0, 2))).toEqual([
      'z1',
      'c1',
      'a1',
      'b1',
    ])
  })

  it('a row says role, segment, links, address and centre, and that the second path is lost', async () => {
    const c2 = member('c2', { role: 'center', note: '灾备' })
    const point = {
      ...member('p1'),
      lan: ['10.9.0.0/24'],
      remote_ip: '203.0.113.7',
      vpn_ip: ['100.64.0.7', '100.64.8.7'],
    }
    const list = [members[0]!, c2, point]
    const links = [
      { ...link('p1', 'c1'), vpn_ip: '100.64.0.7' },
      { ...link('p1', 'c2', 'down'), vpn_ip: '100.64.8.7' },
    ]
    open({ 'network/info': info(list, { link: links }), 'network/status': status(list, links) })
    const row = await findRow(/^p1/)
    for (const text of ['普通点', '10.9.0.0/24', '1/2', '单中心', '203.0.113.7', '100.64.8.7', '经 灾备', '现在'])
      expect(row.queryByText(text)).not.toBeNull()
  })

  it('a link between two members that are no centres has both addresses of its own segment', async () => {
    const links = [
      { ...link('p2', 'p1'), kind: 'point' as const, vpn_ip: '172.31.254.2', center_vpn_ip: '172.31.254.1' },
    ]
    const list = [member('c1', { role: 'center' }), member('p1'), member('p2')]
    open({ 'network/info': info(list, { link: links }), 'network/status': status(list, links) }, {}, at('view=links'))
    const row = within((await screen.findByText('172.31.254.2')).closest('tr')!)
    row.getByText('172.31.254.1')
  })

  it('lists the links with notes and addresses, those that are not up first', async () => {
    const facts = { center_router_name_note: '总部', vpn_ip: '100.64.0.7', center_vpn_ip: '100.64.0.1' }
    const links = [{ ...link('p1', 'c1'), ...facts }, link('p2', 'c1', 'down')]
    const list = [member('c1', { role: 'center', note: '总部' }), ...members.slice(1)]
    open({ 'network/info': info(list, { link: links }), 'network/status': status(list, links) }, {}, at('view=links'))
    await screen.findByRole('table', { name: '链路' })
    const [first, second] = rowsOf('链路')
    expect(first?.textContent).toContain('断开')
    expect(second?.textContent).toContain('总部')
    expect(second?.textContent).toContain('100.64.0.7')
    expect(second?.textContent).toContain('100.64.0.1')
  })

  it('has the bytes of tunnels beside the links, and the sessions of software members below them', async () => {
    const app = member('li@qiming', { type: 2 })
    const list = [...members, app]
    const tunnel = { cipher: 'AES-256-GCM', loss: 15, client_remote: '', server_remote: '' }
    const links = [{ ...link('p1', 'c1'), tunnel }, link('p2', 'c1')]
    const session = {
      id: 'dial:c1:k',
      kind: 'software',
      router_name: 'li@qiming',
      router_name_note: '李娜',
      peer: 'c1',
      peer_note: '总部',
      state: 'up',
      reason: '',
      since: 1_000,
      cipher: '',
      remote_ip: '198.51.100.7',
      vpn_ip: '100.65.0.9',
      rtt_ms: null,
      loss: null,
      down: 1_500_000,
      upload: 250_000,
      carrier: 'tunnel',
    }
    const { api } = open(
      {
        'network/info': info(list, { link: links }),
        'network/status': status(list, links),
        'network/tunnels': ({ input }: { readonly input: Record<string, unknown> }) =>
          input['kind'] === 'software'
            ? { data: [session], count: 1 }
            : { data: [{ ...session, id: links[0]!.id, down: 2_500_000 }], count: 1 },
      },
      {},
      at('view=links'),
    )
    const row = within((await screen.findByText('20.00 Mb / 2.00 Mb')).closest('tr')!)
    expect(row.queryByText('1.5%')).not.toBeNull()
    const sessions = within(await screen.findByRole('region', { name: '软件会话' }))
    expect(await sessions.findByText('李娜')).not.toBeNull()
    expect(sessions.queryByText('总部')).not.toBeNull()
    expect(sessions.queryByText('12.00 Mb / 2.00 Mb')).not.toBeNull()
    const asked = api.calls
      .filter(({ path }) => path === 'network/tunnels')
      .map(({ input }) => input['id'] ?? input['kind'])
    expect(asked.toSorted()).toEqual([links[0]!.id, 'software'].toSorted())
  })

  it('names both ends of a link by note over serial, and leads to the page of its centre', async () => {
    const list = [member('c1', { role: 'center', note: '总部' }), member('p1', { note: '北京' })]
    const links = [link('p1', 'c1'), link('p9', 'c1')]
    open({ 'network/info': info(list, { link: links }), 'network/status': status(list, links) }, {}, at('view=links'))
    await screen.findByRole('table', { name: '链路' })
    const [known, unlisted] = rowsOf('链路').map((row) => within(row))
    expect(known?.getByRole('rowheader').textContent).toContain('北京p1')
    const center = known?.getByRole('link', { name: '总部' })
    expect(center?.getAttribute('href')).toBe('/router/detail?router_name=c1')
    expect(center?.closest('td')?.textContent).toContain('c1')
    expect(unlisted?.getByRole('rowheader').textContent).toContain('p9未填写备注')
  })

  it.each([
    ['links', '链路', 23],
    ['table', '成员', 24],
  ])('the page size of %s holds for its rows, and beyond the end stands the last page', async (view, label, count) => {
    const list = [members[0]!, ...Array.from({ length: 23 }, (_, i) => member(`p${i}`))]
    const links = list.slice(1).map(({ router_name }) => link(router_name, 'c1'))
    const handlers = { 'network/info': info(list, { link: links }), 'network/status': status(list, links) }
    const { router } = open(handlers, {}, at(`view=${view}&page=9`))
    await screen.findByRole('table', { name: label })
    expect(rowsOf(label)).toHaveLength(count - 20)
    await userEvent.selectOptions(screen.getByRole('combobox', { name: '每页条数' }), '20')
    expect(router.state.location.search).toContain('limit=20')
    expect(rowsOf(label)).toHaveLength(count - 20)
    await userEvent.click(screen.getByRole('button', { name: '第一页' }))
    expect(rowsOf(label)).toHaveLength(20)
  })

  it('sorts members and links by a click on their headings, and keeps that in the address', async () => {
    const away = (name: string, last_seen: number) => {
      const one = member(name, { state: 'offline' })
      return { ...one, presence: { ...one.presence, last_seen } }
    }
    const list = [member('c1', { role: 'center' }), away('p1', 2_000), away('p2', 1_000), member('p3')]
    const links = [
      { ...link('p1', 'c1', 'down'), rtt_ms: null },
      { ...link('p2', 'c1'), rtt_ms: 30 },
      { ...link('p3', 'c1'), rtt_ms: 8 },
    ]
    const handlers = { 'network/info': info(list, { link: links }), 'network/status': status(list, links) }
    const { router } = open(handlers)
    const names = (label: string) =>
      rowsOf(label).map((row) => within(row).getByRole('rowheader').textContent?.slice(0, 2))
    await findRow(/^p1/)
    expect(screen.getByRole('columnheader', { name: '状态' }).getAttribute('aria-sort')).toBe('descending')
    await userEvent.click(screen.getByRole('button', { name: '最近在线' }))
    expect(names('成员')).toEqual(['p2', 'p1', 'c1', 'p3'])
    await userEvent.click(screen.getByRole('columnheader', { name: '成员' }).querySelector('button')!)
    expect(names('成员')).toEqual(['c1', 'p1', 'p2', 'p3'])
    expect(router.state.location.search).toContain('sort=name&order=asc')

    await userEvent.click(screen.getByRole('button', { name: '隧道' }))
    await userEvent.click(screen.getByRole('button', { name: '时延' }))
    expect(names('链路')).toEqual(['p3', 'p2', 'p1'])
    await userEvent.click(screen.getByRole('button', { name: '状态' }))
    expect(names('链路')).toEqual(['p1', 'p2', 'p3'])
  })

  it('a state chip shows only its members', async () => {
    const { router } = open({
      'network/info': info([members[0]!, members[1]!, member('p2', { state: 'flapping' })]),
      'network/status': { code: 500, msg: 'x' },
    })
    await userEvent.click(await screen.findByRole('button', { name: '抖动 1' }))
    expect(router.state.location.search).toContain('state=flapping')
    expect(rowsOf('成员')).toHaveLength(1)
  })

  it('a chip acts on the view that is shown and stays on it; zeros are hidden', async () => {
    const list = [...members, member('p3', { state: 'offline' })] // its link is explained by its absence
    const links = [link('p1', 'c1'), link('p2', 'c1', 'down'), link('p3', 'c1', 'down')]
    const handlers = { 'network/info': info(list, { link: links }), 'network/status': status(list, links) }
    const { router } = open(handlers, {}, at('view=links'))
    await userEvent.click(await screen.findByRole('button', { name: '链路断开 1' }))
    expect(rowsOf('链路')).toHaveLength(1)
    expect(router.state.location.search).toContain('view=links')
    expect(screen.queryByRole('button', { name: /^(从未上线|单中心|链路单边)/ })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: '成员' }))
    expect(router.state.location.search).toContain('state=link_down')
    expect(rowsOf('成员')).toHaveLength(2)
  })

  it('search, chip, view and selected member come from the address', async () => {
    open({}, {}, at('view=table&state=online&search=p1&member=p2'))
    await findRow(/十八/)
    expect(rowsOf('成员')).toHaveLength(1)
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: '搜索备注、序列号或账号' }).value).toBe('p1')
    expect(screen.queryByRole('heading', { level: 2, name: 'p2' })).not.toBeNull()
  })

  it('a filter for faults that finds none says so once, and can be taken back', async () => {
    const { router } = open({}, {}, at('view=table&state=abnormal'))
    await screen.findByText('没有异常')
    expect(screen.queryByText('暂无数据')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: '清除筛选' }))
    expect(router.state.location.search).not.toContain('state=')
    expect(rowsOf('成员')).toHaveLength(3)
  })

  it('the panel lists the last five changes of the member’s state', async () => {
    const transitions = Array.from({ length: 7 }, (_, n) => ({
      from: 'online',
      to: 'offline',
      at: n,
      reason: `第${n}次`,
    }))
    const bar = { from: 0, to: 1, start: 'online' }
    open({ 'router/events': { data: { live: 1, transitions, bar } } }, {}, at('view=table&member=p2'))
    const list = within(await screen.findByRole('list', { name: '最近状态变化' }))
    expect(list.getAllByRole('listitem')).toHaveLength(5)
    expect(list.getAllByRole('listitem')[0]?.textContent).toContain('第0次')
  })

  it('the panel says that the history cannot be read, and tries again', async () => {
    const { api } = open({ 'router/events': { code: 500, msg: '系统异常' } }, {}, at('view=table&member=p2'))
    expect((await screen.findByRole('alert')).textContent).toContain('系统异常')
    await userEvent.click(screen.getByRole('button', { name: '重试' }))
    await waitFor(() => expect(api.paths().filter((path) => path === 'router/events')).toHaveLength(2))
  })

  it('a row opens the member’s panel, which leads to its links and their ends', async () => {
    const tunnel = { cipher: 'SM4-CBC', loss: 15, client_remote: '203.0.113.21:40312', server_remote: '' }
    const oneSided = { ...link('p2', 'c1', 'one_sided'), client_up: false, server_up: true, tunnel }
    const links = [link('p1', 'c1'), oneSided]
    const { router } = open({
      'network/info': info(members, { link: links }),
      'network/status': status(members, links),
    })
    await userEvent.click((await findRow(/^p2/)).getByRole('button', { name: '查看 p2' }))
    expect(router.state.location.search).toContain('member=p2')
    const own = within(await screen.findByRole('list', { name: '链路' }))
    await userEvent.click(own.getByRole('button', { name: 'c1' }))
    expect(router.state.location.search).toContain('link=p2%3Ec1')
    const ends = within(await screen.findByRole('list', { name: '两端' }))
    for (const [label, value] of [
      ['丢包', '1.5%'],
      ['加密算法', 'SM4-CBC'],
    ] as const)
      expect(screen.getByText(label).parentElement?.textContent).toContain(value)
    const [client, center] = ends.getAllByRole('listitem')
    expect(client?.textContent).toContain(PROBE_WORD.lost)
    expect(client?.textContent).toContain('公网 203.0.113.21:40312')
    expect(center?.textContent).not.toContain('公网')
    expect(center?.textContent).toContain(PROBE_WORD.received)
    await userEvent.click(ends.getByRole('button', { name: 'c1' }))
    expect(router.state.location.search).toContain('member=c1')
    await userEvent.click(screen.getByRole('button', { name: '关闭' }))
    expect(router.state.location.search).not.toMatch(/member|link/)
  })

  it('a link that is only probed says so beside 连通, in the list of its member and in its own panel', async () => {
    const reason = '仅探测：成员的设备不支持隧道'
    const links = [{ ...link('p1', 'c1'), reason }]
    open(
      { 'network/info': info(members, { link: links }), 'network/status': status(members, links) },
      {},
      at('view=table&member=p1'),
    )
    const own = within(await screen.findByRole('list', { name: '链路' }))
    own.getByText(new RegExp(reason))
    await userEvent.click(own.getByRole('button', { name: 'c1' }))
    await screen.findByRole('list', { name: '两端' })
    expect(screen.getByText('说明').parentElement?.textContent).toContain(reason)
    expect(screen.queryByText('原因')).toBeNull()
  })

  it.each([
    ['view=table&member=p2', '成员', 'p2'],
    ['view=links&link=p2%3Ec1', '链路', 'p2'],
    ['view=links&member=p2', '链路', null],
  ])('%s: the row whose panel is open is the current one', async (query, label, current) => {
    const links = [link('p1', 'c1'), link('p2', 'c1')]
    open({ 'network/info': info(members, { link: links }), 'network/status': status(members, links) }, {}, at(query))
    await screen.findByRole('table', { name: label })
    const marked = rowsOf(label).filter((row) => row.getAttribute('aria-current') === 'true')
    expect(marked.map((row) => within(row).getByRole('rowheader').textContent?.slice(0, 2))).toEqual(
      current === null ? [] : [current],
    )
  })

  it.each([
    ['table', '成员', 'VPN IP', '版本', '组网成员:vpn,version'],
    ['links', '链路', '本端 VPN IP', null, '组网链路:ip'],
  ] as const)('columns of view %s are chosen, for one person', async (view, label, off, on, kept) => {
    const user = userEvent.setup()
    const linked = { 'network/status': status(members, [link('p1', 'c1')]) }
    open(linked, { username: 'anna' }, at(`view=${view}`))
    await screen.findByRole('table', { name: label })
    const headings = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
    expect(headings()).toContain(off)
    await user.click(screen.getByRole('button', { name: '选择显示的列' }))
    await user.click(await screen.findByRole('checkbox', { name: off }))
    if (on !== null) await user.click(screen.getByRole('checkbox', { name: on }))
    expect(headings()).not.toContain(off)
    expect(on === null || headings().includes(on)).toBe(true)
    const [table, keys] = kept.split(':')
    expect(Object.entries(localStorage)).toContainEqual([`netloom-columns:0 anna:${table}`, keys])
    cleanup()
    open(linked, { username: 'bert' }, at(`view=${view}`))
    await screen.findByRole('table', { name: label })
    expect(headings()).toContain(off)
  })

  it('more than 200 points start as tables', async () => {
    const many = [members[0]!, ...Array.from({ length: 201 }, (_, i) => member(`p${i}`))]
    open({ 'network/info': info(many) }, {}, '/network/detail?network_number=N1')
    expect(await screen.findByRole('button', { name: '成员', pressed: true })).not.toBeNull()
  })
})
