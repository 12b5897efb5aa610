import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { readLinkedName } from '#lib/linked-name.ts'
import { chooseAction } from '../lib/row-menu.ts'
import type { RecordedCall } from '../lib/fake-api.ts'
import { ALERT, AT, WAITING, findRow, open, press } from './open-monitor.tsx'

describe('account 3 · alert records', () => {
  it('reads its filters from the address, and acknowledges', async () => {
    const { api } = open(
      { 'monitor/alerts': { data: [ALERT], count: 1, open: 1 }, 'monitor/acknowledge': { msg: '已确认' } },
      '?tab=alerts&status=open&rule=x',
    )
    await press('确认 成员离线：北京分公司')
    await waitFor(() => expect(api.last('monitor/acknowledge')?.input).toEqual({ alert_id: 'a1' }))
    expect(api.last('monitor/alerts')?.input).toMatchObject({ status: 'open', rule: '' })
  })

  it('calls what has no duration an event, and the end of a service open until it is renewed', async () => {
    const moment = { ...ALERT, alert_id: 'a2', rule: 'router_online', title: '成员上线：上海', end_time: AT }
    const service = {
      ...ALERT,
      alert_id: 'a3',
      rule: 'service_expired',
      title: '服务到期：中心点服务',
      router_name: '',
      network_number: '',
    }
    const { api, router } = open(
      { 'monitor/alerts': { data: [moment, service], count: 2, open: 1 } },
      '?tab=alerts&status=event',
    )
    const row = await findRow('成员上线：上海')
    expect([row.getByText('事件'), row.queryByText('已恢复'), row.queryByText('0秒')]).toMatchObject([{}, null, null])
    expect(api.last('monitor/alerts')?.input).toMatchObject({ status: 'event' })
    const ended = await findRow('服务到期：中心点服务')
    expect(ended.getByText('未恢复')).not.toBeNull()
    await chooseAction(ended, '查看对象')
    expect(router.state.location.pathname).toBe('/account/service')
  })

  it('counts how long an open alert lasts', async () => {
    const alert = { ...ALERT, start_time: Date.now() - 260_000, end_time: null }
    open({ 'monitor/alerts': { data: [alert], count: 1, open: 1 } }, '?tab=alerts')
    expect((await findRow(alert.title)).getByText(/^4 分/u)).not.toBeNull()
  })

  it('lists every absence of a member of a mass alert', async () => {
    const alert = { ...ALERT, title: '6个成员离线，共7次', folded: 6, times: 7 }
    const absences = [
      { start_time: AT, end_time: AT + 60_000 },
      { start_time: AT + 120_000, end_time: null },
    ]
    const child = {
      router_name: 'NL1',
      network_number: 'N1',
      label: '北京',
      start_time: AT,
      end_time: null,
      times: 2,
      absences,
    }
    open(
      { 'monitor/alerts': { data: [alert], count: 1, open: 1 }, 'monitor/children': { data: [child] } },
      '?tab=alerts',
    )
    await chooseAction(await findRow('6个成员离线，共7次'), '涉及成员')
    const dialog = within(await screen.findByRole('dialog', { name: '6个成员离线，共7次' }))
    expect(await dialog.findByText('2次')).not.toBeNull()
    expect(dialog.getAllByRole('listitem')).toHaveLength(2)
  })

  it('members that came back together have no end; POP connections lead to their networks', async () => {
    const moment = { ...ALERT, rule: 'router_online', title: '5个成员上线', end_time: AT, folded: 5, times: 5 }
    const pop = { ...ALERT, alert_id: 'a2', rule: 'pop_connect', title: '5个POP连接断开', folded: 5, times: 5 }
    const one = { start_time: AT, end_time: AT, times: 1, absences: [] }
    const back = { ...one, router_name: 'NL1', network_number: 'N1', label: '北京' }
    const cut = { ...one, router_name: '', network_number: 'N1', label: '研发专网 · POP节点上海' }
    open(
      {
        'monitor/alerts': { data: [moment, pop], count: 2, open: 1 },
        'monitor/children': ({ input }: RecordedCall) => ({ data: [input['alert_id'] === 'a2' ? cut : back] }),
      },
      '?tab=alerts',
    )
    await press('涉及成员 5个成员上线')
    const members = within(await screen.findByRole('dialog', { name: '5个成员上线' }))
    expect(await members.findByText('北京')).not.toBeNull()
    expect(members.queryByText('恢复时间')).toBeNull()
    await press('关闭')
    await chooseAction(await findRow('5个POP连接断开'), '涉及连接')
    const connections = within(await screen.findByRole('dialog', { name: '5个POP连接断开' }))
    const link = await connections.findByRole('link', { name: '研发专网 · POP节点上海' })
    expect(link.getAttribute('href')).toBe(`/network/detail?network_number=N1&at=${AT}`)
    expect(connections.getByText('恢复时间')).not.toBeNull()
  })

  it('opens the member as it was then; a POP alert its network', async () => {
    const pop = { ...ALERT, alert_id: 'a2', rule: 'pop_connect', title: 'POP连接断开：总部', router_name: '' }
    const named = { ...ALERT, label: '北京分公司' }
    const { router } = open({ 'monitor/alerts': { data: [named, pop], count: 2, open: 2 } }, '?tab=alerts')
    await chooseAction(await findRow('成员离线：北京分公司'), '查看对象')
    expect(router.state.location).toMatchObject({ pathname: '/router/detail', search: `?router_name=NL1&at=${AT}` })
    expect(readLinkedName(router.state.location.state)).toBe('北京分公司')
    await act(() => router.navigate('/monitor/setting?tab=alerts'))
    await chooseAction(await findRow('POP连接断开：总部'), '查看对象')
    expect(router.state.location).toMatchObject({ pathname: '/network/detail', search: `?network_number=N1&at=${AT}` })
    expect(router.state.location.state).toBeNull() // its label is not the network's name
  })

  it('a delivery that fails says what the other side answers, and when it is tried next', async () => {
    open({ 'monitor/deliveries': { data: [WAITING], count: 1, paused: 0 } }, '?tab=deliveries')
    const row = await findRow('成员离线：北京分公司')
    for (const text of ['待投递', '130101：send too fast', '3']) expect(row.getByText(text)).not.toBeNull()
  })

  it('a delivery that waits for an earlier notice of its alert says so; one that is due has no time in the past', async () => {
    const recovery = { ...WAITING, delivery_id: 'd2', kind: 'recovery', next_time: null, waits: 1, tries: 0 }
    const due = { ...WAITING, title: '成员离线：上海分公司', next_time: Date.now() - 1_000 }
    const later = { ...WAITING, title: '成员离线：广州分公司', next_time: Date.now() + 330_000 }
    open({ 'monitor/deliveries': { data: [recovery, due, later], count: 3, paused: 0 } }, '?tab=deliveries')
    expect((await findRow('成员离线：北京分公司')).getByText('等待该告警的前一条通知')).not.toBeNull()
    expect((await findRow('成员离线：上海分公司')).getByText('即将投递')).not.toBeNull()
    expect((await findRow('成员离线：广州分公司')).getByText('5 分钟后')).not.toBeNull()
  })

  it('the webhook’s line says that its newest message did not arrive', async () => {
    open({ 'monitor/deliveries': { data: [WAITING], count: 1, paused: 0 } })
    expect(await screen.findByText('最近一次投递未成功：130101：send too fast，将自动重试')).not.toBeNull()
  })

  it('account 4 · the webhook’s line says that it is paused, and why', async () => {
    const failed = { ...WAITING, state: 'failed', code: '300005', words: 'token is not exist', next_time: null }
    const { api } = open({ 'monitor/deliveries': { data: [failed], count: 1, paused: 1 } })
    expect(await screen.findByText(/连续5次投递失败，Webhook已暂停（300005：token is not exist）/)).not.toBeNull()
    expect(api.last('monitor/deliveries')?.input).toMatchObject({ channel: 'webhook' })
  })

  it('paused channels are named above the deliveries', async () => {
    open({ 'monitor/deliveries': { data: [], count: 0, paused: 1 } }, '?tab=deliveries')
    expect(await screen.findByText(/1 个通道连续投递失败，已暂停/)).not.toBeNull()
  })
})
