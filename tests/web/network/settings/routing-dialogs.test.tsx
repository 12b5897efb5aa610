import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { ERRORS } from '#contract/kernel/errors.ts'
import type { NetworkInfo } from '#pages/network/live-network.ts'
import { adoptSession } from '#lib/session/session.ts'
import { createSession } from '#tests/web/lib/fixtures.ts'
import { member } from '../member.ts'
import { editSetting, findSettings, info, openMemberSettings } from '../open-network.tsx'
import { onMember } from '#pages/network/detail/network-dialogs.tsx'
import { ALL, choose, field, fill, openTwin, save, twin } from './open-twin.tsx'

/** Opens the panel of a member, and there the dialog of one setting. */
async function editOfMember(name: string, title: string) {
  await openMemberSettings(name)
  await userEvent.click(await screen.findByRole('button', { name: `修改 ${title}` }))
}

describe('配置', () => {
  it('says in words what is set; dynamic routing only with its flag', async () => {
    const network_routing = { type: 2, main_router: 'c1', secondary_router: 'c2' }
    openTwin({ network_dns: ['10.0.0.53'], network_routing, prefix_count: 4 })
    const drawer = await findSettings()
    for (const text of ['10.0.0.53', '主备路由：主 c1，备 c2', '4 条', '默认（AES）']) drawer.getByText(text)
    expect(drawer.queryByText('动态路由')).toBeNull()
  })

  it('shows dynamic routing with its flag, and to turn it off without', async () => {
    openTwin({}, {}, {}, [...twin.slice(0, 2), { ...member('p1'), quagga: 1 }])
    expect((await findSettings()).queryByText('1/3 个成员已开启')).not.toBeNull()
    await userEvent.click(screen.getByRole('button', { name: '修改 动态路由' }))
    expect((await screen.findByRole<HTMLInputElement>('radio', { name: '全部开启' })).disabled).toBe(true)
  })

  it('routing needs two centres, and says so', async () => {
    openTwin({}, {}, {}, twin.slice(1))
    const edit = (await findSettings()).getByRole<HTMLButtonElement>('button', { name: '修改 路由方式' })
    expect(edit.disabled).toBe(true)
  })
})

describe('the DNS dialog', () => {
  it('has a field for each entry of the account, and sends those that are filled with the revision', async () => {
    const { api } = openTwin({ network_dns: ['10.0.0.53'] }, { 'network/dns': { msg: '设置成功' } })
    await editSetting('DNS')
    expect((await field('DNS地址1')).value).toBe('10.0.0.53')
    await fill('DNS地址1', '')
    await fill('DNS地址2', '10.0.0.54')
    await save()
    await screen.findByText('设置成功')
    expect(api.last('network/dns')?.input).toEqual({ network_number: 'N1', dns: ['10.0.0.54'], revision: 3 })
  })

  it('marks the entry that is no address, and the one that stands twice', async () => {
    const { api } = openTwin()
    await editSetting('DNS')
    await fill('DNS地址2', '10.0.0')
    await save()
    await screen.findByText('请输入正确的DNS地址')
    await fill('DNS地址1', '10.0.0.1')
    await fill('DNS地址2', '10.0.0.1')
    await save()
    await screen.findByText('DNS地址不能重复')
    expect(api.last('network/dns')).toBeUndefined()
  })

  it('prompts for an upgrade where more are wanted', async () => {
    openTwin()
    await editSetting('DNS')
    await userEvent.click(await screen.findByRole('button', { name: '添加更多' }))
    await screen.findByText('最多支持2个DNS地址，如需使用更多请升级！')
    await userEvent.click(screen.getByRole('button', { name: '立即升级' }))
    await screen.findByText('暂时无法升级')
    for (const close of screen.getAllByRole('button', { name: '关闭提示' })) await userEvent.click(close) // toasts outlive their page
  })

  it('keeps what was typed when somebody else was faster, and saves it over what they have set', async () => {
    const { api } = openTwin(
      {},
      {
        'network/dns': ({ input }: { input: Record<string, unknown> }) =>
          input['revision'] === 3
            ? { code: 422, msg: ERRORS.SETTING_CHANGED.msg, reason: 'SETTING_CHANGED' as const }
            : { msg: '设置成功' },
      },
    )
    await editSetting('DNS')
    await fill('DNS地址2', '10.0.0.2')
    await save()
    await screen.findByText(ERRORS.SETTING_CHANGED.msg)
    api.set('network/info', info(twin, { revisions: { dns: 4 }, network_dns: ['10.0.0.1'] }))
    await userEvent.click(screen.getByRole('button', { name: '合并最新配置后继续' }))
    await waitFor(async () => expect((await field('DNS地址1')).value).toBe('10.0.0.1'))
    expect((await field('DNS地址2')).value).toBe('10.0.0.2')
    await save()
    await screen.findByText('设置成功')
    expect(api.last('network/dns')?.input).toMatchObject({ dns: ['10.0.0.1', '10.0.0.2'], revision: 4 })
  })
})

describe('the routing dialog', () => {
  it('selects the other centre as the counterpart', async () => {
    const routing = { data: { type: 1, main_router: '', secondary_router: '', revision: 2 } }
    const { api } = openTwin({}, { 'network/routing': routing, 'network/edit_routing': { msg: '设置成功' } })
    await editSetting('路由方式')
    await userEvent.click(await screen.findByRole('radio', { name: '主备路由' }))
    await choose('主路由', 'c2')
    expect(screen.getByRole('combobox', { name: '备路由' }).textContent).toBe('c1')
    await save()
    await waitFor(() =>
      expect(api.last('network/edit_routing')?.input).toEqual({
        network_number: 'N1',
        type: 2,
        main_router: 'c2',
        secondary_router: 'c1',
        revision: 2,
      }),
    )
  })
})

describe('network 4 · a dialog that is opened again', () => {
  it('starts from what a colleague has saved meanwhile', async () => {
    let routing = { type: 1, main_router: '', secondary_router: '', revision: 2 }
    const { api } = openTwin(
      {},
      { 'network/routing': () => ({ data: routing }), 'network/edit_routing': { msg: '设置成功' } },
    )
    await editSetting('路由方式')
    await screen.findByRole('radio', { name: '主备路由' })
    await userEvent.click(screen.getByRole('button', { name: '取消' }))
    routing = { type: 2, main_router: 'c2', secondary_router: 'c1', revision: 3 }
    await editSetting('路由方式')
    await waitFor(() => expect(screen.getByRole('combobox', { name: '主路由' }).textContent).toBe('c2'))
    await choose('主路由', 'c1')
    await save()
    await waitFor(() =>
      expect(api.last('network/edit_routing')?.input).toMatchObject({ main_router: 'c1', revision: 3 }),
    )
  })
})

describe('settings of a member', () => {
  it('a default route is advertised with a priority', async () => {
    const { api } = openTwin({}, { 'network/default_route': { msg: '设置成功' } }, ALL)
    await editOfMember('p1', '默认路由')
    await userEvent.click(await screen.findByRole('radio', { name: '通告' }))
    await save()
    await screen.findByText('请选择优先级')
    await choose('优先级', '2')
    await save()
    await screen.findByText('设置成功')
    const target = { network_number: 'N1', router_name: 'p1' }
    expect(api.last('network/default_route')?.input).toEqual({ ...target, model: 1, metric: 60, revision: 0 })
  })

  it('dynamic routing is a switch of each hardware member', async () => {
    const { api } = openTwin({}, { 'network/quagga': { msg: '设置成功' } }, ALL)
    await editOfMember('p1', '动态路由')
    await userEvent.click(await screen.findByRole('radio', { name: '开启' }))
    await save()
    await screen.findByText('设置成功')
    expect(api.last('network/quagga')?.input).toMatchObject({ router_name: 'p1', enable: 1, revision: 0 })
  })

  it('a software member has its dial mode and no routes', async () => {
    const { api } = openTwin({}, { 'network/software_mode': { msg: '设置成功' } }, ALL)
    await editOfMember('s1', '拨号方式')
    expect(screen.queryByRole('button', { name: '修改 默认路由' })).toBeNull()
    await userEvent.click(await screen.findByRole('radio', { name: '优先中心点' }))
    await save()
    await screen.findByText('设置成功')
    expect(api.last('network/software_mode')?.input).toMatchObject({ router_name: 's1', mode: 2, revision: 0 })
  })

  it.each([
    ['has left', 'p1', ERRORS.MEMBER_NOT_IN_NETWORK.msg],
    ['is no centre any more', 's1', '成员的角色已变化，不再有此项配置'],
  ])('a dialog on a member that %s says so in place of its form', (_, subject, sentence) => {
    adoptSession(createSession())
    const row = { title: '固定端口', component: () => <p>form</p> }
    const Dialog = onMember(row, ({ member: { member_type } }) => member_type === 'center')
    const network = info(twin.filter(({ router_name }) => router_name !== 'p1')).data as unknown as NetworkInfo
    render(<Dialog info={network} subject={subject} onSaved={() => {}} onClose={() => {}} />)
    expect(screen.queryByText('form')).toBeNull()
    expect(screen.queryByText(sentence)).not.toBeNull()
  })
})
