import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { createUser } from '../lib/fixtures.ts'
import { errors, field, openAccount, press, user } from './open-account.tsx'

const cards = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent)
const NONE = { user_phone: '', user_email: '' }

describe('account 2 · hub of the account', () => {
  it('has four cards with their states', async () => {
    openAccount('/account')
    expect(cards()).toEqual([
      '登录密码已设置用于登录控制台，建议定期更换修改密码',
      '个人资料未设置启明（demo01）编辑资料',
      '手机已认证+86 138****0001修改手机',
      '邮箱未认证尚未绑定邮箱绑定邮箱',
    ])
    expect(screen.getByRole('link', { name: '绑定邮箱' }).getAttribute('href')).toBe('/account/email')
    await screen.findByText('两步验证未开启')
    const link = screen.getByRole('link', { name: '管理两步验证与登录设备' })
    expect(link.getAttribute('href')).toBe('/account/security')
  })

  it('follows what another session has changed', async () => {
    openAccount('/account', {}, { 'account/info': { data: createUser({ nickname: '新名' }) } })
    await screen.findByText('新名（demo01）')
  })

  it('changes the suffix of software members', async () => {
    const { api } = openAccount('/account', {}, { 'account/edit_sign': {} })
    await press('修改后缀')
    await screen.findByRole('dialog', { name: '修改账号后缀' })
    await user.clear(field(/^账号后缀/))
    await user.type(field(/^账号后缀/), 'newsign')
    await screen.findByText(/现有 3 个软件成员会随之改名/)
    await press('保存')
    await waitFor(() => expect(api.last('account/edit_sign')?.input).toEqual({ sign: 'newsign' }))
    await screen.findByText('@newsign')
  })
})

describe('account 8 · binding the first phone', () => {
  const fill = async () => {
    await press('绑定手机')
    await screen.findByRole('dialog', { name: '绑定手机' })
    await user.type(field(/^手机号码/), '13900000000')
    await user.type(field(/^登录密码/), 'Demo2026')
  }

  it.each([401, 403])('the code field appears with %i, and the code is sent then', async (code) => {
    const { api, router } = openAccount('/account', NONE, {
      'account/edit_phone': ({ input }) =>
        'code' in input && input['code'] !== ''
          ? { msg: '修改成功' }
          : { code, msg: '请输入验证码', reason: 'CODE_REQUIRED', data: { field: 'code' } },
    })
    await fill()
    expect(screen.queryByLabelText(/^验证码/, { selector: 'input' })).toBeNull()
    await press('绑定')
    await waitFor(() => expect(document.activeElement).toBe(field(/^验证码/)))
    await press('绑定')
    await waitFor(() => expect(errors()).toContain('请输入验证码'))
    await press('获取验证码')
    await waitFor(() => expect(api.last('verify/send_code')?.input).toMatchObject({ send_value: '+86 13900000000' }))
    api.set('account/info', { data: createUser({ ...NONE, user_phone: '+86 139****0000' }) })
    await user.type(field(/^验证码/), '123456')
    await press('绑定')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(api.last('account/edit_phone')?.input).toMatchObject({ code: '123456', password: 'Demo2026' })
    expect(router.state.location.search).toBe('')
    expect(cards()[2]).toBe('手机已认证+86 139****0000修改手机')
  })

  it('a missing identity step leads to the wizard', async () => {
    const { api, router } = openAccount('/account', NONE, {
      'account/edit_phone': { code: 401, msg: '请先完成身份验证', reason: 'IDENTITY_REQUIRED' },
    })
    await fill()
    api.set('account/info', { data: createUser({ ...NONE, user_email: 'z***@q***.cn' }) }) // bound by another session
    await press('绑定')
    await waitFor(() => expect(router.state.location.pathname).toBe('/account/phone'))
    await screen.findByRole('radio', { name: /邮箱/ })
  })

  it('a wrong password is shown at its field', async () => {
    openAccount('/account', NONE, {
      'account/edit_phone': { code: 422, msg: '登录密码错误', data: { field: 'password' } },
    })
    await fill()
    await press('绑定')
    await waitFor(() => expect(errors()).toEqual(['登录密码错误']))
  })
})

describe('account 5 · profile', () => {
  const saved = { account: 'demo01', nickname: '启明', birthday: '', industry: '', occupation: '' }

  it('shows the user name without editing it, saves, and returns to the account', async () => {
    const { api, router } = openAccount(
      '/account/info',
      {},
      { 'account/data': { data: saved }, 'account/edit_data': {} },
    )
    await screen.findByLabelText('账号')
    expect(field('账号').disabled).toBe(true)
    await press('保存')
    await waitFor(() => expect(errors()).toEqual(['生日不能为空', '行业不能为空', '职业不能为空']))
    await user.type(field(/^生日/), '1990-01-31')
    await user.click(screen.getByRole('combobox'))
    expect(screen.getAllByRole('option')).toHaveLength(23)
    await user.click(screen.getByRole('option', { name: /制造业$/ }))
    await user.type(field(/^职业/), '工程师')
    api.set('account/info', { data: createUser({ birthday: '1990-01-31', industry: 'I13', occupation: '工程师' }) })
    await press('保存')
    await waitFor(() => expect(router.state.location.pathname).toBe('/account'))
    expect(api.last('account/edit_data')?.input).toEqual({
      ...saved,
      birthday: '1990-01-31',
      industry: 'I13',
      occupation: '工程师',
    })
    await waitFor(() => expect(cards()[1]).toContain('已设置'))
  })

  it('refuses a birthday of the last 100 days', async () => {
    openAccount('/account/info', {}, { 'account/data': { data: saved } })
    await screen.findByLabelText('账号')
    await user.type(field(/^生日/), new Date().toISOString().slice(0, 10))
    await press('保存')
    await waitFor(() => expect(errors()[0]).toMatch(/^生日不能晚于\d{4}-\d\d-\d\d$/))
  })

  it('says that it could not be read, and reads it again', async () => {
    const { api } = openAccount('/account/info', {}, { 'account/data': { code: 500, msg: '系统异常,请稍候尝试!' } })
    await screen.findByText('系统异常,请稍候尝试!')
    api.set('account/data', { data: saved })
    await press('重试')
    await screen.findByLabelText('账号')
  })
})

describe('account 2 · sign-ins', () => {
  it('are in words, this one marked and without an end', async () => {
    openAccount('/account/security')
    const row = (await screen.findByText('Windows · Chrome 126')).closest('tr')!
    within(row).getByText('当前设备')
    expect(within(row).queryByRole('button')).toBeNull()
    const other = screen.getByText('iPhone · 微信 8').closest('tr')!
    expect(other.textContent).toContain('ops@demo01 子账号')
    expect(other.textContent).toContain('198.51.100.4 中国 Shanghai')
    expect(other.textContent).toContain('192.0.2.77 中国 Beijing') // place of the last renewal
    screen.getByText(/最近刷新是登录凭证最近一次续期的时间和地址/)
  })

  it('one is ended after a question, and the list is read again', async () => {
    const { api } = openAccount('/account/security', {}, { 'account/end_session': { msg: '已退出登录' } })
    await user.click(await screen.findByRole('button', { name: '退出 ops@demo01 iPhone · 微信 8' }))
    const question = await screen.findByRole('alertdialog', { name: '退出“iPhone · 微信 8”？' })
    const before = api.paths().filter((path) => path === 'account/sessions').length
    await user.click(within(question).getByRole('button', { name: '退出' }))
    await waitFor(() => expect(api.last('account/end_session')?.input).toEqual({ session_id: 's2' }))
    await waitFor(() =>
      expect(api.paths().filter((path) => path === 'account/sessions').length).toBeGreaterThan(before),
    )
  })

  it('all others are ended after a question', async () => {
    const { api } = openAccount('/account/security', {}, { 'account/end_other_sessions': { msg: '已退出登录' } })
    await press('退出其他设备')
    const question = await screen.findByRole('alertdialog')
    await user.click(within(question).getByRole('button', { name: '退出其他设备' }))
    await waitFor(() => expect(api.last('account/end_other_sessions')?.input).toEqual({}))
  })
})
