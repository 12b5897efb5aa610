import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { CONFIG, WEBHOOK, open, press, toggle } from './open-monitor.tsx'

describe('account 2 · monitoring', () => {
  it('off shows a start button, which asks first', async () => {
    const { api } = open({
      'monitor/config': { data: { ...CONFIG, enable: 0 } },
      'monitor/enable': { msg: '启动成功' },
    })
    await press('启动监控')
    const dialog = await screen.findByRole('alertdialog')
    expect(api.last('monitor/enable')).toBeUndefined()
    await userEvent.click(within(dialog).getByRole('button', { name: '启动' }))
    await waitFor(() => expect(api.last('monitor/enable')).toBeDefined())
  })

  it.each([
    ['邮件', '请绑定邮箱再进行勾选'],
    ['Webhook', '请配置webhook再进行勾选'],
  ])('account 4 · %s without what it needs reverts with a tip', async (name, tip) => {
    open()
    await toggle(name)
    expect(await screen.findByText(tip)).not.toBeNull()
    expect(screen.getByRole('switch', { name }).getAttribute('aria-checked')).toBe('false')
  })

  it('site messages are always on', async () => {
    open()
    const site = await screen.findByRole('switch', { name: '站内消息' })
    expect([site.getAttribute('aria-checked'), site.hasAttribute('disabled')]).toEqual(['true', true])
  })

  it.each([
    ['leads the main account to the directory’s configuration', 0, '/router/ldap_edit?ldapType=edit'],
    ['leads no sub-account there', 1, undefined],
  ] as const)('directory 2 · the event of the directory %s', async (_, ram, address) => {
    open({}, '', { ram, flags: ['monitor:view', 'monitor:edit'] })
    await screen.findByRole('switch', { name: '目录同步异常' })
    expect(screen.queryByRole('link', { name: 'LDAP配置' })?.getAttribute('href')).toBe(address)
  })

  it('sends all of it', async () => {
    const { api } = open({ 'monitor/config': { data: { ...CONFIG, has_email: 1 } } })
    await toggle('邮件')
    await press('保存')
    await waitFor(() =>
      expect(api.last('monitor/setting')?.input).toMatchObject({
        email_confirm: 1,
        portal_confirm: 1,
        router_offline: 1,
        all_routers: 1,
        router: [],
        rules: { router_offline: { delay: 3, severity: 'warning' } },
      }),
    )
  })

  it('ticks contacts in their dialog, and says who gets nothing', async () => {
    const contact = (uuid: string, name: string, over: object = {}) => ({
      uuid,
      name,
      email: `${uuid}@b.cn`,
      email_verify: 1,
      re_email_verify: 1,
      mail_pending: 0,
      mail_error: '',
      email_verify_time: 1,
      expire_time: 2,
      resend_after: 0,
      ...over,
    })
    const rows = [
      contact('c1', '张三'),
      contact('c2', '李四', { email_verify: 0 }),
      contact('c3', '王五', { re_email_verify: 0 }),
    ]
    const { api } = open({
      'monitor/config': { data: { ...CONFIG, has_email: 1, email_confirm: 1, contacts: ['c2'] } },
      'contacts/lists': { data: rows, count: 3 },
    })
    expect(await screen.findByText('联系人：李四；升级联系人：不升级')).not.toBeNull()
    await press('选择联系人')
    const dialog = within(await screen.findByRole('dialog', { name: '告警联系人' }))
    expect(dialog.getByText('c2@b.cn · 未验证，不会发送')).not.toBeNull()
    expect(dialog.getByText('c3@b.cn · 授权已过期，不会发送')).not.toBeNull()
    const [mailed] = dialog.getAllByRole('checkbox', { name: '通知' })
    await userEvent.click(mailed!)
    await userEvent.click(dialog.getAllByRole('checkbox', { name: '升级' }).at(-1)!)
    await userEvent.click(dialog.getByRole('button', { name: '确定' }))
    expect(await screen.findByText('联系人：张三、李四；升级联系人：王五')).not.toBeNull()
    expect(api.last('monitor/setting')).toBeUndefined() // the form around it was not sent
    await press('保存')
    await waitFor(() =>
      expect(api.last('monitor/setting')?.input).toMatchObject({ contacts: ['c1', 'c2'], escalation: ['c3'] }),
    )
  })

  it('asks before changes are dropped: 取消, another tab, another page', async () => {
    const { router } = open({ 'monitor/alerts': { data: [], count: 0, open: 0 } })
    const isOn = async () => (await screen.findByRole('switch', { name: '成员上线' })).getAttribute('aria-checked')
    const answer = async (name: string) => {
      const asked = await screen.findByRole('alertdialog', { name: '放弃未保存的修改？' })
      await userEvent.click(within(asked).getByRole('button', { name }))
    }
    await press('取消') // nothing to drop
    expect(screen.queryByRole('alertdialog')).toBeNull()
    await toggle('成员上线')
    await press('取消')
    await answer('继续编辑')
    expect(await isOn()).toBe('true')
    await userEvent.click(screen.getByRole('tab', { name: '告警记录' }))
    await answer('继续编辑')
    expect([router.state.location.search, await isOn()]).toEqual(['', 'true'])
    act(() => void router.navigate('/account')) // stays open until it is answered
    await answer('继续编辑')
    expect(router.state.location.pathname).toBe('/monitor/setting')
    await press('取消')
    await answer('放弃修改')
    await waitFor(async () => expect(await isOn()).toBe('false'))
    await userEvent.click(screen.getByRole('tab', { name: '告警记录' }))
    await waitFor(() => expect(router.state.location.search).toBe('?tab=alerts'))
  })

  it('a saved form is left without a question', async () => {
    const { api, router } = open()
    await toggle('成员上线')
    await press('保存')
    await waitFor(() => expect(api.last('monitor/setting')).toBeDefined())
    await screen.findByText('设置成功')
    act(() => void router.navigate('/account'))
    expect(await screen.findByText('elsewhere')).not.toBeNull()
  })

  it('keeps changes while the webhook is configured beside them', async () => {
    let saved = CONFIG
    const { api } = open({
      'monitor/config': () => ({ data: saved }),
      'webhook/setting': () => {
        saved = { ...CONFIG, has_webhook: 1, router_offline: 0 } // the latter by a colleague meanwhile
        return { msg: '设置成功' }
      },
    })
    await toggle('成员上线')
    await press('配置Webhook')
    const dialog = await screen.findByRole('dialog', { name: 'Webhook' })
    await userEvent.click(within(dialog).getByRole('button', { name: '保存' }))
    await waitFor(() =>
      expect(screen.getByRole('switch', { name: '成员离线' }).getAttribute('aria-checked')).toBe('false'),
    )
    expect(screen.getByRole('switch', { name: '成员上线' }).getAttribute('aria-checked')).toBe('true')
    expect(api.last('monitor/setting')).toBeUndefined() // the dialog's submit is its own
    await toggle('Webhook')
    await press('保存')
    await waitFor(() =>
      expect(api.last('monitor/setting')?.input).toMatchObject({
        router_online: 1,
        router_offline: 0,
        webhook_confirm: 1,
      }),
    )
  })

  it('without 全部成员 and without a member it is not sent', async () => {
    const { api } = open()
    await toggle('全部成员（含以后新增）')
    await press('保存')
    expect((await screen.findAllByText('请选择成员')).length).toBeGreaterThan(0)
    expect(api.last('monitor/setting')).toBeUndefined()
  })

  it('the webhook’s dialog keeps address and secret, and saves nothing else', async () => {
    const { api } = open({ 'webhook/setting': { msg: '设置成功' } })
    await press('配置Webhook')
    const dialog = await screen.findByRole('dialog', { name: 'Webhook' })
    await userEvent.click(within(dialog).getByRole('button', { name: '保存' }))
    await waitFor(() =>
      expect(api.last('webhook/setting')?.input).toMatchObject({ type: 'dingtalk', url: WEBHOOK.url, secret: '' }),
    )
    expect(api.last('monitor/setting')).toBeUndefined()
  })

  it.each([
    ['secret', '密钥'],
    ['keyword', '关键词'],
    ['url', 'URL'],
  ])('a test that fails by its %s marks %s', async (field, label) => {
    open({ 'webhook/test': { code: 422, msg: '请核对', data: { field } } })
    await press('配置Webhook')
    const dialog = await screen.findByRole('dialog', { name: 'Webhook' })
    await userEvent.click(within(dialog).getByRole('button', { name: '测试' }))
    const input = within(dialog).getByLabelText(new RegExp(`^${label}`))
    await waitFor(() => expect(input.getAttribute('aria-invalid')).toBe('true'))
    expect(within(dialog).getByText('请核对')).not.toBeNull()
  })

  it('a test that fails by a field which the dialog does not show says so', async () => {
    open({
      'webhook/config': { data: { ...WEBHOOK, type: 'wechat' } },
      'webhook/test': { code: 422, msg: '密钥不正确', data: { field: 'secret' } },
    })
    await press('配置Webhook')
    const dialog = within(await screen.findByRole('dialog', { name: 'Webhook' }))
    await userEvent.click(dialog.getByRole('button', { name: '测试' }))
    expect(await dialog.findByText('密钥不正确')).not.toBeNull()
  })

  it('a test of a secret that is too long, and hidden by the type since, says so', async () => {
    const { api } = open()
    await press('配置Webhook')
    const dialog = within(await screen.findByRole('dialog', { name: 'Webhook' }))
    fireEvent.change(dialog.getByLabelText('密钥'), { target: { value: 'x'.repeat(201) } })
    await userEvent.click(dialog.getByRole('combobox', { name: '类型' }))
    fireEvent.click((await screen.findAllByText('企业微信')).at(-1)!.closest('[role="option"]')!)
    await userEvent.click(dialog.getByRole('button', { name: '测试' }))
    expect(await dialog.findByText('密钥不能超过200个字符')).not.toBeNull()
    expect(api.last('webhook/test')).toBeUndefined()
  })

  it('says the keyword of a robot beside the field', async () => {
    open()
    await press('配置Webhook')
    const dialog = within(await screen.findByRole('dialog', { name: 'Webhook' }))
    expect(dialog.getByText('安全设置选“自定义关键词”时请填写“告警”')).not.toBeNull()
    expect(dialog.getByDisplayValue('告警').hasAttribute('readonly')).toBe(true)
    expect(dialog.queryByText(/Standard Webhooks/)).toBeNull()
  })

  it('says how a server of one’s own is called', async () => {
    open({ 'webhook/config': { data: { ...WEBHOOK, type: 'other', url: 'https://a.example.com/******' } } })
    await press('配置Webhook')
    const dialog = within(await screen.findByRole('dialog', { name: 'Webhook' }))
    expect(dialog.getByText('消息格式与签名（Standard Webhooks规范）')).not.toBeNull()
    expect(dialog.queryByText(/自定义关键词/)).toBeNull()
  })

  it('account 8 · a test that was taken says 发送成功', async () => {
    open({ 'webhook/test': { msg: '发送成功' } })
    await press('配置Webhook')
    const dialog = await screen.findByRole('dialog', { name: 'Webhook' })
    await userEvent.click(within(dialog).getByRole('button', { name: '测试' }))
    expect(await within(dialog).findByText('发送成功')).not.toBeNull()
  })

  it('a test shows what the platform answers', async () => {
    open({ 'webhook/test': { code: 422, msg: '钉钉返回 310000: sign not match' } })
    await press('配置Webhook')
    const dialog = await screen.findByRole('dialog', { name: 'Webhook' })
    await userEvent.click(within(dialog).getByRole('button', { name: '测试' }))
    expect(await within(dialog).findByText('钉钉返回 310000: sign not match')).not.toBeNull()
  })
})
