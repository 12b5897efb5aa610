import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ERRORS } from '#contract/kernel/errors.ts'
import { chooseAction, findAction } from '#tests/web/lib/row-menu.ts'
import { link, member } from '../member.ts'
import { editSetting, findHead, findRow, findSettings, info, members, open, status } from '../open-network.tsx'
import { QUOTA } from '../open-page.tsx'

afterEach(() => void vi.restoreAllMocks())

describe('the network detail', () => {
  it.each([
    ['online', 'online', 'up', '运行正常', ''],
    ['offline', 'online', 'unknown', '中断', '中心点离线'],
    ['online', 'offline', 'down', '部分异常 (1)', '1 个成员离线'],
    ['online', 'online', 'down', '部分异常 (1)', '1 条链路断开'],
    ['online', 'never', 'never', '运行正常', ''],
  ] as const)('centre %s, point %s, link %s: the header says %s', async (center, point, linkState, word, cause) => {
    const list = [member('c1', { role: 'center', state: center }), member('p1', { state: point })]
    const links = [link('p1', 'c1', linkState)]
    open({ 'network/info': info(list, { link: links }), 'network/status': status(list, links) })
    const head = await findHead()
    expect(head.queryByText(word)).not.toBeNull()
    expect(head.queryByText('有效')).toBeNull()
    expect(cause === '' || head.queryByText(cause) !== null).toBe(true)
  })

  it('the header counts centres, links and configurations; what never came takes nothing from them', async () => {
    const list = [...members, member('p3', { config: 'queued', state: 'never' })]
    const links = [link('p1', 'c1'), link('p2', 'c1', 'down'), link('p3', 'c1', 'never')]
    open({ 'network/info': info(list, { link: links }), 'network/status': status(list, links) })
    const head = await findHead()
    for (const fact of ['中心点 1/1', '链路 1/2（未开通 1）', '配置 3/3 已生效'])
      expect(head.queryByText(fact)).not.toBeNull()
  })

  it('says that states are old while its hub does not answer, and polls again by 重试', async () => {
    const { api } = open({ 'network/status': { code: 503, msg: ERRORS.NETWORK_UNREADABLE.msg } })
    const notice = within((await screen.findByText(/以下为最后已知状态，正在重连/)).closest('div')!)
    api.set('network/status', status(members))
    await userEvent.click(notice.getByRole('button', { name: '重试' }))
    await screen.findByText(/状态每 10 秒刷新一次/)
  })

  it('the type of the network stands behind ⓘ, its suspension in the header', async () => {
    const suspended_time = Date.parse('2026-07-01T04:00:00Z')
    open({ 'network/info': info(members, { network_status: 0, suspended_time }) })
    const head = await findHead()
    expect(head.getByText('已停用').closest('.nl-status')?.className).toContain('nl-tone-bad')
    expect(head.queryByText('07-16 起移除设备配置')).not.toBeNull()
    expect(head.queryByText('运行正常')).toBeNull()
    expect(screen.queryByText('中心组网')).toBeNull()
    await userEvent.click(head.getByRole('button', { name: '组网信息' }))
    const facts = within(await screen.findByRole('dialog', { name: '组网信息' }))
    for (const fact of ['N1', '中心组网', '标准版', '1970-01-01 08:00:00'])
      expect(facts.queryByText(fact)).not.toBeNull()
  })

  it('shows what people come for, and the rest behind ⋯, the dangerous last', async () => {
    open()
    const head = await findHead()
    const shown = head.getAllByRole('button').map((button) => button.textContent || button.getAttribute('aria-label'))
    expect(shown).toEqual(['组网信息', '管理成员', '添加成员', '配置', '总部互联 的更多操作'])
    await findAction(head, '删除')
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
      '重命名',
      '有效路由',
      '诊断',
      '诊断记录',
      '历史',
      '接入POP',
      '重新下发全部',
      '提交工单',
      '删除',
    ])
  })

  it('account 2 · leads to a ticket with a snapshot of the network', async () => {
    const { router } = open()
    await userEvent.click(await findAction(await findHead(), '提交工单'))
    expect(router.state.location).toMatchObject({ pathname: '/ticket/create', search: '?network_number=N1' })
  })

  it.each([
    ['the only one of the name', ['总部互联', '别的'], '?network_number=N1', '/network/detail'],
    ['the list of several', ['总部互联', '总部互联'], `?search=${encodeURIComponent('总部互联')}`, '/network/lists'],
    ['the list of none', ['别的'], `?search=${encodeURIComponent('总部互联')}`, '/network/lists'],
  ])('network 2 · network_name opens %s', async (_, names, search, path) => {
    const select = { data: names.map((network_name, i) => ({ network_number: `N${i + 1}`, network_name })) }
    const address = `/network/detail?network_name=${encodeURIComponent('总部互联')}`
    const { router } = open({ 'network/select': select }, {}, address)
    await waitFor(() => expect(router.state.location).toMatchObject({ pathname: path, search }))
  })

  it('leaves for the list when there is no such network', async () => {
    const { router } = open({ 'network/info': { code: 204, msg: '组网不存在或已被删除' } })
    await waitFor(() => expect(router.state.location.pathname).toBe('/network/lists'))
    await userEvent.click(await screen.findByRole('button', { name: '关闭提示' })) // toasts outlive their page
  })

  it('leaves for the list when the network is deleted while it is watched', async () => {
    const { router } = open({ 'network/status': { code: 204, msg: '组网不存在或已被删除' } })
    await waitFor(() => expect(router.state.location.pathname).toBe('/network/lists'))
    expect(screen.queryByText('组网不存在或已被删除')).not.toBeNull()
    await userEvent.click(screen.getByRole('button', { name: '关闭提示' })) // toasts outlive their page
  })

  it('shows that the live channel is down, and the states of the status poll', async () => {
    open({ 'network/status': status([members[0]!, members[1]!, member('p2', { state: 'offline' })]) })
    await screen.findByText(/实时通道已断开，状态每 10 秒刷新一次/)
    expect((await findRow(/^p2/)).queryByText('离线')).not.toBeNull()
    expect(screen.queryByRole('button', { name: '离线 1' })).not.toBeNull()
  })

  it('greys everything when the status call fails too', async () => {
    open({ 'network/status': { code: 500, msg: 'x' } })
    await screen.findByText(/以下为最后已知状态/)
    const light = (await findRow(/^p2/)).getByText('在线').closest('.nl-status')
    expect(light?.classList.contains('nl-tone-idle')).toBe(true)
  })

  it('reads the rows again when the hub’s members differ', async () => {
    let rows = info()
    const { api } = open({
      'network/info': () => rows,
      'network/status': () => {
        rows = info([...members, member('p3')])
        return status([...members, member('p3')])
      },
    })
    await screen.findByRole('link', { name: 'p3' })
    expect(api.paths().filter((path) => path === 'network/info')).toHaveLength(2)
  })

  it('removes a member, and follows what is pushed to the others', async () => {
    let rows = info()
    const { api } = open({
      'network/info': () => rows,
      'network/remove_member': () => {
        rows = info([member('c1', { role: 'center', version: 2, config: 'pushing' }), members[2]!])
        return { msg: '移除成功' }
      },
      'network/status': { code: 500, msg: 'x' },
    })
    await chooseAction(await findRow(/十八/), '移除')
    const dialog = within(await screen.findByRole('alertdialog'))
    expect(dialog.queryByText(/它的 1 条链路会断开/)).not.toBeNull()
    await userEvent.click(dialog.getByRole('button', { name: '移除成员' }))
    await waitFor(() =>
      expect(api.last('network/remove_member')?.input).toEqual({ network_number: 'N1', router_name: 'p1' }),
    )
    await screen.findByText('已保存，正在下发… 下发中 1')
  })

  it('follows a resend to all, which moves no version', async () => {
    open({ 'network/re_send_config': { msg: '已重新下发' }, 'network/status': { code: 500, msg: 'x' } })
    await chooseAction(await findHead(), '重新下发全部')
    await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '重新下发' }))
    await screen.findByText('已重新下发，正在下发… 下发中 3')
  })

  it('a rename is pushed to no device', async () => {
    open({ 'network/name': { msg: '修改成功' } })
    await chooseAction(await findHead(), '重命名')
    await userEvent.type(await screen.findByRole('textbox', { name: '组网名称' }), '二')
    await userEvent.click(screen.getByRole('button', { name: '保存' }))
    await screen.findByText('修改成功')
    expect(screen.queryByText(/已保存/)).toBeNull()
  })

  it('the ciphers dialog shows the choice as it is, and saves another', async () => {
    const { api } = open({
      'network/info': info(members, { ncp_ciphers: 'sm' }),
      'network/ciphers': { msg: '设置成功' },
    })
    await editSetting('加密算法')
    const choice = await screen.findByRole('combobox', { name: '加密算法' })
    expect(choice.textContent).toBe('国密（SM4）')
    await userEvent.click(choice)
    fireEvent.click(screen.getByText('默认（AES）').closest('[role="option"]')!)
    await userEvent.click(screen.getByRole('button', { name: '保存' }))
    await screen.findByText('设置成功')
    expect(api.last('network/ciphers')?.input).toEqual({ network_number: 'N1', ncp_ciphers: 'default', revision: 1 })
    expect(screen.queryByRole('combobox', { name: '加密算法' })).toBeNull()
  })

  describe('the ciphers dialog says before saving', () => {
    const choose = async (over: object) => {
      open({ 'network/ciphers': { msg: '设置成功' }, ...over })
      await editSetting('加密算法')
      await userEvent.click(await screen.findByRole('combobox', { name: '加密算法' }))
      fireEvent.click(screen.getByText('国密（SM4）').closest('[role="option"]')!)
      return within(screen.getByRole('dialog', { name: '设置加密算法' }))
    }

    it('devices that cannot apply the settings are listed', async () => {
      const data = [
        { router_name: 'p1', note: '北京' },
        { router_name: 'p2', note: '' },
      ]
      const dialog = await choose({ 'network/unsupported': { data } })
      const { textContent } = await dialog.findByRole('alert')
      expect(textContent).toBe('2 台设备版本过旧，不支持国密（SM4），保存将被拒绝：北京、p2。请先升级或移出组网。')
    })

    it('that links reconnect', async () => {
      const dialog = await choose({ 'network/unsupported': { data: [] } })
      const { textContent } = await dialog.findByText(/断开重连/)
      expect(textContent).toContain('2 条已连通的链路会断开重连')
    })
  })

  it('the last centre cannot be removed', async () => {
    open()
    const action = await findAction(await findRow(/^c1/), '移除')
    expect(action.getAttribute('aria-disabled')).toBe('true')
  })

  it('a suspended network shows why; members can be removed, not added', async () => {
    const quota = { ...QUOTA, network_router_use: 7 }
    const suspended_time = Date.parse('2026-07-01T04:00:00Z')
    vi.spyOn(Date, 'now').mockReturnValue(suspended_time + 1_000)
    open({ 'network/info': info(members, { network_status: 0, suspended_time, network_config: quota }) })
    expect((await screen.findByRole('alert')).textContent).toBe(
      '成员配额不足，组网已停用。续费或移除多余成员后恢复使用。当前超出 2 个成员。' +
        '自 2026-07-01 12:00:00 起停用；若未恢复，满 15 天后（2026-07-16 12:00:00）将移除设备上的该组网配置，成员之间不再互通。',
    )
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '添加成员' }).disabled).toBe(true)
    expect((await findAction(await findRow(/^p2/), '移除')).getAttribute('aria-disabled')).not.toBe('true')
    const edit = (await findSettings()).getByRole<HTMLButtonElement>('button', { name: '修改 加密算法' })
    expect(edit.disabled).toBe(true)
  })

  it('a withdrawn network is suspended, however well its members are', async () => {
    open({ 'network/info': info(members, { network_status: 0, withdrawn: 1, link: [] }) })
    const head = await findHead()
    expect(head.queryByText('已停用')).not.toBeNull()
    expect(head.queryByText('设备配置已移除')).not.toBeNull()
  })

  it('shows whose LANs overlap, and the remedy', async () => {
    const overlap = {
      a: '组网“华东”的总部',
      segment_a: '10.1.0.0/16',
      b: 'p2',
      segment_b: '10.1.9.0/24',
      routers: ['far1', 'p2'],
    }
    open({ 'network/info': info(members, { overlaps: [overlap] }) })
    const notice = await screen.findByRole('alert')
    expect(notice.textContent).toContain(
      '网段重叠：组网“华东”的总部（10.1.0.0/16）与p2（10.1.9.0/24）。重叠的地址之间无法互通，请修改其中一方的网段。',
    )
    const links = within(notice).getAllByRole('link')
    expect(links.map((one) => [one.textContent, one.getAttribute('href')])).toEqual([
      ['查看 组网“华东”的总部', '/router/detail?router_name=far1'],
      ['查看 p2', '/router/detail?router_name=p2'],
    ])
  })

  it('several overlaps are one notice, with their number and the first of them', async () => {
    const overlaps = ['p1', 'p2', 'c1', 'x'].map((a) => ({
      a,
      segment_a: '10.1.0.0/16',
      b: '乙',
      segment_b: '10.1.9.0/24',
      routers: [],
    }))
    open({ 'network/info': info(members, { overlaps }) })
    const { textContent } = await screen.findByRole('alert')
    expect(textContent).toMatch(
      /^网段重叠 4 处：p1（10\.1\.0\.0\/16）与乙（10\.1\.9\.0\/24）；p2.+；c1.+等。重叠的地址之间无法互通/,
    )
    expect(textContent).not.toContain('x（')
  })

  it('a read-only role changes nothing, and sees effective routes, diagnoses and history', async () => {
    open({}, { ram: 1, flags: [] })
    await findRow(/^p2/)
    for (const name of ['管理成员', '添加成员']) expect(screen.queryByRole('button', { name })).toBeNull()
    const menus = screen.getAllByRole('button', { name: /更多操作/ })
    expect(menus.map((menu) => menu.getAttribute('aria-label'))).toEqual(['总部互联 的更多操作'])
    await userEvent.click(menus[0]!)
    expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual([
      '有效路由',
      '诊断记录',
      '历史',
      '提交工单',
    ])
  })

  it('a failed load can be tried again', async () => {
    const { api } = open({ 'network/info': { code: 500, msg: '系统异常,请稍候尝试!' } })
    await userEvent.click(await screen.findByRole('button', { name: '重试' }))
    await waitFor(() => expect(api.paths().filter((path) => path === 'network/info').length).toBeGreaterThan(1))
  })
})
