import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { ERRORS } from '../../../worker/contract/errors.ts'
import { onMember } from '../../../web/features/network/dialogs/member-dialog.tsx'
import type { NetworkInfo } from '../../../web/features/network/projection.ts'
import { adoptSession } from '../../../web/lib/session.ts'
import { createSession } from '../lib/fixtures.ts'
import { member } from './member.ts'
import { at, editSetting, findSettings, info, open, status } from './open-network.tsx'

const twin = [
  member('c1', { role: 'center' }),
  member('c2', { role: 'center' }),
  member('p1'),
  member('s1', { type: 2 }),
]
const openTwin = (over = {}, handlers = {}, user = {}, members = twin) =>
  open(
    {
      'network/info': info(members, { revisions: { dns: 3 }, ...over }),
      'network/status': status(members),
      ...handlers,
    },
    user,
    at('view=table'),
  )
const save = async () => userEvent.click(screen.getByRole('button', { name: '保存' }))
const field = (name: string) => screen.findByLabelText<HTMLInputElement>(name)
const fill = async (name: string, text: string) => fireEvent.change(await field(name), { target: { value: text } })
const choose = async (name: string, option: string) => {
  await userEvent.click(await screen.findByRole('combobox', { name }))
  const texts = await screen.findAllByText(option)
  fireEvent.click(texts.flatMap((text) => text.closest('[role="option"]') ?? []).at(-1)!)
}
/** Opens the panel of a member, and there the dialog of one setting. */
async function editOfMember(name: string, title: string) {
  await userEvent.click(await screen.findByRole('button', { name: `查看 ${name}` }))
  await userEvent.click(await screen.findByRole('button', { name: `修改 ${title}` }))
}
const ALL = { auth: { quagga: 1, quagga_advanced: 1, default_route: 1 } } as const

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

describe('the prefix dialog', () => {
  const row = { ip: '10.1.0.0', mask: 16, name: '总部', permission: 'permit', ge: null, le: 32 }
  const read = (...rows: object[]) => ({ data: rows, count: 0, revision: 5 })
  const openPrefixes = async (rows: readonly object[], user = {}) => {
    const opened = openTwin(
      {},
      {
        'network/prefix': read(...rows),
        'network/edit_prefix': { msg: '设置成功', data: [{ row: 0, old: '10.2.3.4/16', new: '10.2.0.0/16' }] },
      },
      user,
    )
    await editSetting('网络号')
    await screen.findByRole('button', { name: '添加一行' })
    return opened
  }

  it('shows what will be corrected, sends the rows, and says what was', async () => {
    const { api } = await openPrefixes([row])
    fireEvent.change(await field('网络号'), { target: { value: '10.2.3.4' } })
    await screen.findByText('保存时将更正网络号：10.2.3.4/16 → 10.2.0.0/16')
    await save()
    await screen.findByText('已更正 10.2.3.4/16 → 10.2.0.0/16')
    expect(api.last('network/edit_prefix')?.input).toEqual({
      network_number: 'N1',
      prefix: [{ ...row, ip: '10.2.3.4' }],
      revision: 5,
    })
  })

  it('shows rows of both where somebody else was faster', async () => {
    const { api } = await openPrefixes([row])
    const theirs = { ...row, ip: '10.7.0.0' }
    api.set('network/edit_prefix', ({ input }) =>
      input['revision'] === 5
        ? { code: 422, msg: ERRORS.SETTING_CHANGED.msg, reason: 'SETTING_CHANGED' }
        : { msg: '设置成功', data: [] },
    )
    await userEvent.click(screen.getByRole('button', { name: '添加一行' }))
    const added = within(screen.getByRole('group', { name: '第 2 条' }))
    fireEvent.change(added.getByLabelText('网络号'), { target: { value: '10.8.0.0' } })
    fireEvent.change(added.getByLabelText('掩码'), { target: { value: '16' } })
    await save()
    api.set('network/prefix', { ...read(row, theirs), revision: 6 } as never)
    await userEvent.click(await screen.findByRole('button', { name: '合并最新配置后继续' }))
    await screen.findByRole('group', { name: '第 3 条' })
    const shown = screen.getAllByLabelText<HTMLInputElement>('网络号').map(({ value }) => value)
    expect(shown).toEqual(['10.1.0.0', '10.8.0.0', '10.7.0.0'])
    await save()
    const prefix = shown.map((ip) => ({ ip }))
    await waitFor(() => expect(api.last('network/edit_prefix')?.input).toMatchObject({ revision: 6, prefix }))
  })

  it('has the advanced fields with their flag alone', async () => {
    await openPrefixes([row])
    expect(screen.queryByLabelText('ge')).toBeNull()
  })

  it('takes text, one row a line, and leaves the lines that it cannot read', async () => {
    await openPrefixes([row], ALL)
    expect(screen.queryByLabelText('ge')).not.toBeNull()
    await userEvent.click(screen.getByRole('button', { name: '粘贴文本' }))
    const box = screen.getByLabelText<HTMLTextAreaElement>('网络号文本，每行一条')
    fireEvent.change(box, { target: { value: '172.16.0.0/12 # 机房\nnonsense' } })
    await userEvent.click(screen.getByRole('button', { name: '追加到列表' }))
    await screen.findByText('已读入 1 条，第 2 行无法识别，请修改后重试')
    expect(box.value).toBe('nonsense')
    expect(
      within(screen.getByRole('group', { name: '第 2 条' })).getByLabelText<HTMLInputElement>('网络号').value,
    ).toBe('172.16.0.0')
  })

  it('copies its rows as text', async () => {
    const writeText = vi.fn<(text: string) => Promise<void>>().mockResolvedValue()
    await openPrefixes([row, { ...row, ip: '10.3.0.0', name: '', permission: 'deny' }])
    vi.stubGlobal('navigator', Object.create(navigator, { clipboard: { value: { writeText } } }))
    await userEvent.click(screen.getByRole('button', { name: '复制为文本' }))
    await screen.findByText('已复制 2 条')
    vi.unstubAllGlobals()
    expect(writeText).toHaveBeenCalledWith('10.1.0.0/16 # 总部\n10.3.0.0/16 deny')
  })

  it('goes to the page of the row that is wrong', async () => {
    await openPrefixes(Array.from({ length: 10 }, (_, i) => ({ ...row, ip: `10.${i + 1}.0.0` })))
    await userEvent.click(screen.getByRole('button', { name: '添加一行' }))
    screen.getByRole('group', { name: '第 11 条' })
    await userEvent.click(screen.getByRole('button', { name: '第一页' }))
    expect(screen.queryByRole('group', { name: '第 11 条' })).toBeNull()
    await save()
    await screen.findByText('请输入正确的网络号')
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
