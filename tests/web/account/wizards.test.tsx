import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { errors, field, openAccount, press, user } from './open-account.tsx'

const identityMissing = { code: 401, msg: '请先完成身份验证', reason: 'IDENTITY_REQUIRED' } as const

async function passIdentity(next: string) {
  await user.type(field(/^验证码/), '123456')
  await press('下一步')
  await screen.findByLabelText(new RegExp(`^${next}`), { selector: 'input' })
}

const fillPassword = async () => {
  await user.type(field('新密码'), 'Fresh2026')
  await user.type(field('重复密码'), 'Fresh2026')
}

describe('account 4 · wizard of the password', () => {
  it('goes through identity and new password to the end, and back to the account', async () => {
    const { api, router } = openAccount('/account/password', {}, { 'account/edit_password': { msg: '修改成功' } })
    await press('获取验证码')
    await waitFor(() => expect(api.last('account/default_phone')?.input).toEqual({}))
    await passIdentity('新密码')
    expect(api.last('verify/verify')?.input).toEqual({
      send_type: 'phone',
      verify_type: 'verify_phone',
      code: '123456',
    })
    await fillPassword()
    await user.click(screen.getByRole('button', { name: '修改密码' }))
    await screen.findByText('修改成功')
    expect(api.last('account/edit_password')?.input).toEqual({
      new_password: 'Fresh2026',
      reset_password: 'Fresh2026',
    })
    await user.click(screen.getAllByRole('button', { name: /返回账号信息/ })[0]!)
    expect(router.state.location.pathname).toBe('/account')
  })

  it('offers the e-mail besides, and only what is bound', async () => {
    const { api } = openAccount('/account/password', { user_email: 'z***@q***.cn' })
    await user.click(screen.getByRole('radio', { name: /邮箱 z\*{3}@q\*{3}\.cn/ }))
    await press('获取验证码')
    await waitFor(() => expect(api.paths()).toContain('account/default_email'))
    await user.type(field(/^验证码/), '123456')
    await press('下一步')
    await screen.findByLabelText('新密码', { selector: 'input' })
    expect(api.last('verify/verify')?.input).toMatchObject({ send_type: 'email', verify_type: 'verify_email' })
  })

  it('shows no way that is not bound', () => {
    openAccount('/account/password')
    expect(screen.getAllByRole('radio')).toHaveLength(1)
  })

  it('advances only on success', async () => {
    openAccount(
      '/account/password',
      {},
      {
        'verify/verify': { code: 422, msg: '验证码错误或已失效，请重新获取', data: { field: 'code' } },
      },
    )
    await user.type(field(/^验证码/), '123456')
    await press('下一步')
    await waitFor(() => expect(errors()).toContain('验证码错误或已失效，请重新获取'))
    expect(screen.queryByLabelText('新密码', { selector: 'input' })).toBeNull()
  })

  it('back from the last step leads to the second with its input cleared, from the others to the account', async () => {
    const { router } = openAccount('/account/password', {}, { 'account/edit_password': {} })
    await passIdentity('新密码')
    await fillPassword()
    await user.click(screen.getByRole('button', { name: '修改密码' }))
    await screen.findByText('修改成功')
    await press(/返回上一步/)
    expect([field('新密码').value, field('重复密码').value]).toEqual(['', ''])
    await press(/返回账号信息/)
    expect(router.state.location.pathname).toBe('/account')
  })

  it('begins anew where the identity step is used up or too old', async () => {
    openAccount('/account/password', {}, { 'account/edit_password': identityMissing })
    await passIdentity('新密码')
    await fillPassword()
    await user.click(screen.getByRole('button', { name: '修改密码' }))
    await waitFor(() => expect(errors()).toEqual([identityMissing.msg]))
    expect(field(/^验证码/).value).toBe('')
  })

  it('names the fields (account 5), and sends nothing', async () => {
    const { api } = openAccount('/account/password')
    await passIdentity('新密码')
    await user.click(screen.getByRole('button', { name: '修改密码' }))
    await waitFor(() => expect(errors()).toEqual(['密码不能为空', '重复密码不能为空']))
    await user.type(field('新密码'), '12345')
    await user.type(field('重复密码'), '12346')
    await user.click(screen.getByRole('button', { name: '修改密码' }))
    await waitFor(() => expect(errors()).toEqual(['必须6到18位', '2次密码输入不一致']))
    expect(api.paths()).not.toContain('account/edit_password')
  })

  it('without phone and e-mail it leads to binding them', async () => {
    const { router } = openAccount('/account/password', { user_phone: '' })
    screen.getByText('请先绑定手机或者邮箱，再修改密码')
    await press('绑定手机')
    expect(router.state.location.pathname + router.state.location.search).toBe('/account?bind=phone')
    await screen.findByRole('dialog', { name: '绑定手机' })
  })
})

describe('account 4 · wizards of phone and e-mail', () => {
  it('sends the code to the new phone, then binds it', async () => {
    const { api } = openAccount('/account/phone', {}, { 'account/edit_phone': {} })
    await passIdentity('新手机号码')
    await press('获取验证码')
    await waitFor(() => expect(errors()).toEqual(['手机号码不能为空']))
    await user.type(field(/^新手机号码/), '13900000000')
    await press('获取验证码')
    await waitFor(() =>
      expect(api.last('verify/send_code')?.input).toEqual({
        send_type: 'phone',
        verify_type: 'verify_phone',
        send_value: '+86 13900000000',
      }),
    )
    await press('确认修改')
    await waitFor(() => expect(errors()).toEqual(['验证码不能为空']))
    await user.type(field(/^验证码/), '654321')
    await press('确认修改')
    await screen.findByText('修改成功')
    expect(api.last('account/edit_phone')?.input).toEqual({ area_code: '86', phone: '13900000000', code: '654321' })
    expect(api.paths().at(-1)).toBe('account/info')
  })

  it('a second contact is bound, in the words of a first one', async () => {
    openAccount('/account/email', { user_email: '' }, { 'account/edit_email': {} })
    await passIdentity('邮箱')
    await press('获取验证码')
    await user.type(field(/^邮箱/), 'new@example.com')
    await user.type(field(/^验证码/), '654321')
    await press('确认绑定')
    await screen.findByText('绑定成功')
    expect(screen.queryByText(/修改/)).toBeNull()
  })

  it('a sent code takes back that none was typed', async () => {
    openAccount('/account/phone', {}, { 'account/edit_phone': {} })
    await passIdentity('新手机号码')
    await press('确认修改')
    await waitFor(() => expect(errors()).toEqual(['手机号码不能为空', '验证码不能为空']))
    await user.type(field(/^新手机号码/), '13900000000')
    await press('获取验证码')
    await waitFor(() => expect(errors()).toEqual([]))
    await press('确认修改')
    await waitFor(() => expect(errors()).toEqual(['验证码不能为空']))
  })

  it('the same for the e-mail', async () => {
    const { api } = openAccount('/account/email', { user_email: 'a***@b.cn' }, { 'account/edit_email': {} })
    await passIdentity('新邮箱')
    await press('获取验证码')
    await waitFor(() => expect(errors()).toEqual(['邮箱号不能为空']))
    await user.type(field(/^新邮箱/), 'new@example.com')
    await press('获取验证码')
    await waitFor(() => expect(api.last('verify/send_code')?.input).toMatchObject({ verify_type: 'verify_email' }))
    await user.type(field(/^验证码/), '654321')
    await press('确认修改')
    await screen.findByText('修改成功')
    expect(api.last('account/edit_email')?.input).toEqual({ email: 'new@example.com', code: '654321' })
  })

  it('a refusal of the new value stays at its field', async () => {
    openAccount(
      '/account/phone',
      {},
      {
        'account/edit_phone': { code: 422, msg: '该手机号码已被使用，请更换', data: { field: 'phone' } },
      },
    )
    await passIdentity('新手机号码')
    await user.type(field(/^新手机号码/), '13900000000')
    await user.type(field(/^验证码/), '654321')
    await press('确认修改')
    await waitFor(() => expect(errors()).toEqual(['该手机号码已被使用，请更换']))
  })

  it.each(['phone', 'email'] as const)('the first %s of an account is bound by a dialog', async (kind) => {
    const { router } = openAccount(`/account/${kind}`, { user_phone: '' })
    await screen.findByRole('dialog', { name: kind === 'phone' ? '绑定手机' : '绑定邮箱' })
    expect(router.state.location.search).toBe(`?bind=${kind}`)
  })
})
