import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { errors, field, openAccount, press, user } from './open-account.tsx'

const OFF = { enrolled_time: null, recovery_left: 0, ram_required: 0 }
const ON = { enrolled_time: 1_800_000_000_000, recovery_left: 2, ram_required: 0 }
const SETUP = { secret: 'GEZDGNBVGY3TQOJQ', uri: 'otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ', setup: 'sealed' }
const CODES = ['ABCDE-23456', 'FGHJK-34567']
const RAMS = [
  { ram_id: 7, username: 'ops@demo01', nickname: '运维', enrolled_time: 1_800_000_000_000 },
  { ram_id: 8, username: 'desk@demo01', nickname: '值班', enrolled_time: null },
]

const openSecurity = (handlers: Parameters<typeof openAccount>[2] = {}, over: Parameters<typeof openAccount>[1] = {}) =>
  openAccount('/account/security', over, {
    'account/totp': { data: OFF },
    'account/totp_setup': { data: SETUP },
    'account/totp_enable': { data: { recovery_codes: CODES } },
    'account/totp_recovery': { data: { recovery_codes: CODES } },
    'account/totp_disable': { msg: '关闭成功' },
    'account/totp_require': { msg: '设置成功' },
    'account/totp_reset': { msg: '设置成功' },
    ...handlers,
  })

describe('design 6 · the own second factor', () => {
  it('is switched on with a code and the password; the recovery codes are shown once, copied and saved', async () => {
    const { api } = openSecurity()
    await user.click(await screen.findByRole('button', { name: '开启两步验证' }))
    const dialog = await screen.findByRole('dialog', { name: '开启两步验证' })
    await within(dialog).findByRole('img', { name: /两步验证的二维码/ })
    within(dialog).getByText(SETUP.secret)
    await press('开启')
    await waitFor(() => expect(errors()).toEqual(['动态验证码不能为空', '登录密码不能为空']))
    await user.type(field(/^动态验证码/), '123456')
    await user.type(field(/^登录密码/), 'Demo2026')
    api.set('account/totp', { data: { ...ON, recovery_left: 10 } })
    await press('开启')
    const shown = await screen.findByRole('dialog', { name: '两步验证已开启' })
    expect(api.last('account/totp_enable')?.input).toEqual({ setup: 'sealed', code: '123456', password: 'Demo2026' })
    expect(api.paths().filter((path) => path === 'account/totp_setup')).toHaveLength(1)
    for (const code of CODES) within(shown).getByText(code)

    await press('复制恢复码')
    await screen.findByText('复制成功')
    expect(await navigator.clipboard.readText()).toBe(CODES.join('\n'))
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
    URL.createObjectURL = () => 'blob:x'
    await press('下载为文本')
    expect(saved.mock.instances.map((link) => (link as unknown as HTMLAnchorElement).download)).toEqual([
      '恢复码-demo01.txt',
    ])
    saved.mockRestore()
    await press('已保存')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    screen.getByText(/剩余恢复码 10 个/)
    screen.getByText('两步验证已开启')
  })

  it('shows a wrong password and a wrong code on their fields', async () => {
    const { api } = openSecurity({
      'account/totp_enable': { code: 422, msg: '登录密码错误', data: { field: 'password' } },
    })
    await user.click(await screen.findByRole('button', { name: '开启两步验证' }))
    await screen.findByText(SETUP.secret)
    await user.type(field(/^动态验证码/), '123456')
    await user.type(field(/^登录密码/), 'Wrong2026')
    await press('开启')
    await waitFor(() => expect(errors()).toEqual(['登录密码错误']))
    api.set('account/totp_enable', { code: 422, msg: '动态验证码错误', data: { field: 'code' } })
    await press('开启')
    await waitFor(() => expect(errors()).toEqual(['动态验证码错误']))
  })

  it('gives new recovery codes for a code, and says when few are left', async () => {
    const { api } = openSecurity({ 'account/totp': { data: ON } })
    await screen.findByText('，请及时更换')
    await press('更换恢复码')
    await screen.findByRole('dialog', { name: '更换恢复码' })
    await user.type(field(/^动态验证码/), '123456')
    await press('更换')
    await screen.findByRole('dialog', { name: '恢复码已更换' })
    expect(api.last('account/totp_recovery')?.input).toEqual({ code: '123456' })
  })

  it('is switched off with a recovery code', async () => {
    const { api } = openSecurity({ 'account/totp': { data: ON } })
    await user.click(await screen.findByRole('button', { name: '关闭两步验证' }))
    const dialog = await screen.findByRole('dialog', { name: '关闭两步验证' })
    await press('使用恢复码')
    await user.type(field(/^恢复码/), 'abcde-23456')
    api.set('account/totp', { data: OFF })
    await user.click(within(dialog).getByRole('button', { name: '关闭两步验证' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(api.last('account/totp_disable')?.input).toEqual({ recovery_code: 'ABCDE23456' })
    await screen.findByText('两步验证未开启')
  })

  it('says that it could not be read, and reads it again', async () => {
    const { api } = openSecurity({ 'account/totp': { code: 500, msg: '系统异常,请稍候尝试!' } })
    await screen.findByText(/系统异常,请稍候尝试!/)
    api.set('account/totp', { data: OFF })
    await press('重试')
    await screen.findByRole('button', { name: '开启两步验证' })
  })
})

describe('design 6 · second factors of sub-accounts', () => {
  it('are listed with their state, and one is reset after a question', async () => {
    const { api } = openSecurity({ 'account/totp_rams': { data: RAMS, count: 2 } })
    const table = await screen.findByRole('table', { name: '子账号的两步验证' })
    const rows = within(table).getAllByRole('row').slice(1)
    expect(rows.map((row) => within(row).getByText(/^[已未]开启$/).textContent)).toEqual(['已开启', '未开启'])
    expect(within(rows[1]!).queryByRole('button')).toBeNull()
    await press('重置 ops@demo01')
    const question = await screen.findByRole('alertdialog', { name: '重置“ops@demo01”的两步验证？' })
    await user.click(within(question).getByRole('button', { name: '重置' }))
    await waitFor(() => expect(api.last('account/totp_reset')?.input).toEqual({ ram_id: 7 }))
  })

  it('are required after a question that says who is signed out', async () => {
    const { api } = openSecurity({ 'account/totp_rams': { data: RAMS, count: 2 } })
    const control = await screen.findByRole('switch', { name: '要求子账号使用两步验证' })
    await waitFor(() => expect((control as HTMLInputElement).disabled).toBe(false))
    await user.click(control)
    const question = await screen.findByRole('alertdialog', { name: '要求子账号使用两步验证？' })
    within(question).getByText(/尚未设置的子账号会立即退出登录/)
    api.set('account/totp', { data: { ...OFF, ram_required: 1 } })
    await user.click(within(question).getByRole('button', { name: '要求两步验证' }))
    await waitFor(() => expect(api.last('account/totp_require')?.input).toEqual({ required: 1 }))
    await waitFor(() => expect((control as HTMLInputElement).checked).toBe(true))
  })

  it('a sub-account sees its own alone, and cannot switch off what is required', async () => {
    const { api } = openSecurity({ 'account/totp': { data: { ...ON, ram_required: 1 } } }, { ram: 1 })
    const off = await screen.findByRole('button', { name: '关闭两步验证' })
    expect((off as HTMLButtonElement).disabled).toBe(true)
    expect(screen.queryByText('子账号的两步验证')).toBeNull()
    await screen.findByRole('table', { name: '登录设备' })
    expect(api.paths()).not.toContain('account/totp_rams')
  })
})
