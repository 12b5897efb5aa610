import { describe, expect, it } from 'vitest'
import { registration } from '#contract/account/account.ts'
import { registerForm, type RegisterInput, toRegistration } from '#pages/register/form-rules.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const good: RegisterInput = {
  type: 'phone',
  nickname: '启明星',
  username: 'qiming01',
  password: 'Demo2026',
  newPassword: 'Demo2026',
  area_code: '86',
  phone: '13800000000',
  email: '',
  img_code: '',
  code: '123456',
  uniqid: 'u1',
  agreement: true,
}
const problems = (over: Partial<RegisterInput>) =>
  registerForm
    .safeParse({ ...good, ...over })
    .error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? []

describe('registration (account 5)', () => {
  it('each field says what is wrong with it first', async () => {
    const offenders = await findOffenders<[Partial<RegisterInput>, string[]]>([
      [{}, []],
      [{ nickname: '' }, ['nickname 昵称不能为空']],
      [{ nickname: 'a b!' }, ['nickname 昵称不能包含特殊字符']],
      [{ username: '' }, ['username 用户名不能为空']],
      [{ username: '用户名字一二三' }, ['username 用户名不能包含特殊字符和中文']],
      [{ username: 'abc' }, ['username 用户名长度6-18位，由数字和字母组成。用于登陆使用']],
      [{ password: '12345', newPassword: '12345' }, ['password 密码长度6-18位']],
      [{ newPassword: '' }, ['newPassword 确认密码不能为空']],
      [{ newPassword: 'Demo2027' }, ['newPassword 2次密码输入不一致']],
      [{ phone: '' }, ['phone 手机号码不能为空']],
      [{ phone: '12800000000' }, ['phone 请输入正确的手机号码']],
      [{ phone: '16600000000' }, []],
      [{ phone: '123', area_code: '852' }, ['phone 请输入最低4位数的手机号码']],
      [{ phone: '91234567', area_code: '852' }, []],
      [{ phone: '9123', area_code: '852' }, ['phone 请输入正确的手机号码']],
      [{ username: '13900000000' }, ['username 用户名不能使用他人的手机号码，请更换']],
      [{ username: '13800000000' }, []],
      [{ username: '0085261234567' }, ['username 用户名不能使用他人的手机号码，请更换']],
      [{ uniqid: '' }, ['code 请先获取验证码']],
      [{ uniqid: '', code: '' }, ['code 验证码不能为空']],
      [{ type: 'email', phone: '', email: 'a@b.com' }, []],
      [{ type: 'email', email: '' }, ['email 邮箱号不能为空']],
      [{ type: 'email', email: 'a@b' }, ['email 请输入正确的邮箱']],
      [{ code: '' }, ['code 验证码不能为空']],
      [{ code: '12345' }, ['code 验证码长度必须为6位']],
      [{ agreement: false }, ['agreement 请阅读并同意服务条款和隐私政策']],
    ])((over, expected) => {
      const found = problems(over)
      // Of several complaints about one field the form shows the first.
      const first = found.filter(
        (one, at) => found.findIndex((other) => other.split(' ')[0] === one.split(' ')[0]) === at,
      )
      expect(first).toEqual(expected)
    })
    expect(offenders).toEqual([])
  })

  it.each<[Partial<RegisterInput>, string]>([
    [{}, '+86 13800000000'],
    [{ area_code: '852', phone: '91234567' }, '+852 91234567'],
    [{ type: 'email', email: ' a@b.com ' }, 'a@b.com'],
  ])('%j is sent as %s, which the server takes', (over, verify) => {
    const input = toRegistration(registerForm.parse({ ...good, ...over }))
    expect(input.verify).toBe(verify)
    expect(registration.safeParse(input).success).toBe(true)
    expect(Object.keys(input)).not.toContain('img_code')
  })
})
