import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { chooseAction } from '#tests/web/lib/row-menu.ts'
import { findHead, info, members, open } from '../open-network.tsx'

const route = (over: object) => ({
  prefix: '10.3.0.0/24',
  router_name: 'p2',
  router_name_note: '门店',
  via: 'c1',
  via_note: '',
  state: 'chosen',
  rank: 1,
  blocked_by: null,
  actual: { via: 'c1', via_note: '', link: 'N1:p1>c1' },
  verdict: 'same',
  reason: '',
  ...over,
})

describe('有效路由', () => {
  it('are opened by the number of blocked segments in the head; standby routes stand in their order', async () => {
    const data = [route({}), route({ via: 'c2', state: 'standby', rank: 3 })]
    open({ 'network/info': info(members, { blocked_count: 8 }), 'network/actual_routes': { data, count: 2 } })
    await userEvent.click((await findHead()).getByRole('button', { name: '8 个网段被阻断' }))
    const drawer = within(await screen.findByRole('dialog', { name: '有效路由' }))
    await drawer.findByText(/备用 2/)
  })

  it('mark the segments of a LAN port that is down: of the member itself, and of others', async () => {
    const [own, other] = ['LAN接口未连接', '门店的LAN接口未连接']
    const marked = { verdict: 'unreachable', reason: own }
    const data = [
      route({ ...marked, prefix: '10.2.0.0/24', router_name: 'p1', router_name_note: '', via: '', actual: null }),
      route({ ...marked, reason: other }),
    ]
    open({ 'network/actual_routes': { data, count: 2 } })
    await chooseAction(await findHead(), '有效路由')
    const drawer = within(await screen.findByRole('dialog', { name: '有效路由' }))
    const rowOf = async (prefix: string) => within((await drawer.findByText(prefix)).closest('tr')!)
    for (const text of ['本地网段', '不可达', own]) (await rowOf('10.2.0.0/24')).getByText(text)
    for (const text of ['不可达', other]) (await rowOf('10.3.0.0/24')).getByText(text)
  })

  it('shows where each comes from, over whom, and which row blocks it; an address is searched', async () => {
    const data = [route({}), route({ prefix: '10.4.0.0/24', state: 'blocked', rank: null, blocked_by: 2 })]
    const { api } = open({ 'network/actual_routes': { data, count: 2 } })
    await chooseAction(await findHead(), '有效路由')
    const drawer = within(await screen.findByRole('dialog', { name: '有效路由' }))
    const row = within((await drawer.findByText('10.4.0.0/24')).closest('tr')!)
    for (const text of ['门店', /被拦截/, /第 2 条网络号/]) row.getByText(text)
    expect(api.last('network/actual_routes')?.input).toEqual({
      network_number: 'N1',
      router_name: 'p1',
      search: '',
      only: '',
    })
    fireEvent.change(drawer.getByLabelText('搜索目的地址、网段或成员'), { target: { value: '10.4.0.9' } })
    await waitFor(() => expect(api.last('network/actual_routes')?.input).toMatchObject({ search: '10.4.0.9' }))
  })
})
