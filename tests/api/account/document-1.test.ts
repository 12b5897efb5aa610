import { beforeAll, describe, expect, it } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { contactsApi } from '#contract/contacts/index.ts'
import type { Endpoint } from '#contract/kernel/endpoint.ts'
import { loginApi } from '#contract/login/index.ts'
import { messageApi } from '#contract/message/index.ts'
import { monitorApi } from '#contract/monitor/index.ts'
import { ramApi } from '#contract/ram/index.ts'
import { ticketApi } from '#contract/ticket/index.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { webhookApi } from '#contract/webhook/index.ts'
import { type Caller, createMainAccount, createSubAccount } from '#tests/support/fixtures.ts'
import { createCaptcha, nextAddress, signIn } from '#tests/support/identity.ts'
import { createPhone } from '#tests/support/otp.ts'
import { call } from '#tests/support/test-worker.ts'
import { findOffenders } from '#tests/support/offenders.ts'

// Section 5 of document 1, sentence by sentence, as the server says it at its field.

let main: Caller
let sub: Caller
beforeAll(async () => {
  main = await createMainAccount({ phone: createPhone().slice(4) })
  sub = await createSubAccount(main)
})

type Row = readonly [spec: Endpoint, input: object, field: string, msg: string]

const LOGIN = { username: 'demo01', password: 'Weilai26', code: 'abcd', uniqid: 'u' }
const PERSON = {
  nickname: '启明智造',
  username: 'qiming01',
  password: 'Weilai26',
  newPassword: 'Weilai26',
  code: '123456',
  type: 'phone',
  verify: '13800138000',
  uniqid: 'u',
}
const NEW_PASSWORD = { new_password: 'Fresh2026', reset_password: 'Fresh2026' }
const CHANGE = { old_password: 'Weilai26', password: 'Fresh2026', reset_password: 'Fresh2026' }
const RESET = { uniqid: 'u', password: 'Fresh2026', reset_password: 'Fresh2026' }
const FIND = { username: 'demo01', img_code: 'abcd', uniqid: 'u' }
const TO_PHONE = { send_type: 'phone', verify_type: 'verify_phone', send_value: '+86 13800138000' }
const TO_EMAIL = { send_type: 'email', verify_type: 'verify_email', send_value: 'a@b.cn' }
const LONG = 'a'.repeat(19)
const TICKET_FORM = { title: '无法连接', content: '上海总部从今天早上起无法连接分支', type: 2, file_ids: [] }
const { account, ram } = loginApi
const { register, editPassword: edit } = accountApi
const { password } = ramApi

const MONITOR = {
  email_confirm: 0,
  webhook_confirm: 0,
  portal_confirm: 1,
  router_online: 0,
  router_offline: 1,
  service_expired: 1,
  pop_connect: 1,
  router: [],
}
const RULES: Readonly<Record<string, readonly Row[]>> = {
  login: [account, ram].flatMap((spec): Row[] => [
    [spec, { ...LOGIN, username: '' }, 'username', '用户名不能为空'],
    [spec, { ...LOGIN, username: '  ' }, 'username', '用户名不能为空'],
    [spec, { ...LOGIN, password: '' }, 'password', '密码不能为空'],
    [spec, { ...LOGIN, code: '' }, 'code', '验证码不能为空'],
    [spec, { ...LOGIN, code: 'abc' }, 'code', '验证码的长度必须为4位'],
    [spec, { ...LOGIN, code: 'abcde' }, 'code', '验证码的长度必须为4位'],
    [spec, { ...LOGIN, password: '12345' }, 'password', '密码长度6-18位'],
    [spec, { ...LOGIN, password: LONG }, 'password', '密码长度6-18位'],
  ]),
  'e-mail format': ['a@b', '"a"@c.cn', 'a@[10.0.0.1]', 'a b@c.cn', '@b.cn'].map((send_value): Row => [
    verifyApi.sendCode,
    { ...TO_EMAIL, send_value },
    'send_value',
    '请输入正确的邮箱',
  ]),
  phone: [
    [verifyApi.sendCode, { ...TO_PHONE, send_value: '+86 12012345678' }, 'send_value', '请输入正确的手机号码'],
    [verifyApi.sendCode, { ...TO_PHONE, send_value: '+86 1380013800' }, 'send_value', '请输入正确的手机号码'],
    [verifyApi.sendCode, { ...TO_PHONE, send_value: '+86 138001380001' }, 'send_value', '请输入正确的手机号码'],
    [verifyApi.sendCode, { ...TO_PHONE, send_value: '+852 123' }, 'send_value', '请输入最低4位数的手机号码'],
  ],
  'verification code': [
    [verifyApi.sendCode, { ...TO_PHONE, send_value: '' }, 'send_value', '手机号码不能为空'],
    [verifyApi.sendCode, { ...TO_EMAIL, send_value: '' }, 'send_value', '邮箱号不能为空'],
    [verifyApi.verify, { ...TO_PHONE, code: '' }, 'code', '验证码不能为空'],
    [verifyApi.verify, { ...TO_PHONE, code: '12345' }, 'code', '验证码长度必须为6位'],
    [verifyApi.verify, { ...TO_PHONE, code: '1234567' }, 'code', '验证码长度必须为6位'],
  ],
  registration: [
    [register, { ...PERSON, verify: '+86 ' }, 'verify', '手机号码不能为空'],
    [register, { ...PERSON, nickname: '' }, 'nickname', '昵称不能为空'],
    [register, { ...PERSON, nickname: '一' }, 'nickname', '昵称长度2-12字符，由中文,英文,数字组成'],
    [
      register,
      { ...PERSON, nickname: '一二三四五六七八九十一二三' },
      'nickname',
      '昵称长度2-12字符，由中文,英文,数字组成',
    ],
    [register, { ...PERSON, nickname: '启明!' }, 'nickname', '昵称不能包含特殊字符'],
    [register, { ...PERSON, username: '' }, 'username', '用户名不能为空'],
    [register, { ...PERSON, username: 'abc12' }, 'username', '用户名长度6-18位，由数字和字母组成。用于登陆使用'],
    [register, { ...PERSON, username: LONG }, 'username', '用户名长度6-18位，由数字和字母组成。用于登陆使用'],
    [register, { ...PERSON, username: '启明智造一二' }, 'username', '用户名不能包含特殊字符和中文'],
    [register, { ...PERSON, username: 'qi_ming01' }, 'username', '用户名不能包含特殊字符和中文'],
    [register, { ...PERSON, password: '', newPassword: '' }, 'password', '密码不能为空'],
    [register, { ...PERSON, password: '12345', newPassword: '12345' }, 'password', '密码长度6-18位'],
    [register, { ...PERSON, newPassword: 'Weilai27' }, 'newPassword', '2次密码输入不一致'],
    [register, { ...PERSON, code: '' }, 'code', '验证码不能为空'],
    [register, { ...PERSON, code: '12345' }, 'code', '验证码长度必须为6位'],
    [register, { ...PERSON, verify: '' }, 'verify', '手机号码不能为空'],
    [register, { ...PERSON, type: 'email', verify: '' }, 'verify', '邮箱号不能为空'],
    [register, { ...PERSON, type: 'email', verify: 'a@b' }, 'verify', '请输入正确的邮箱'],
  ],
  'forgot password': [
    [verifyApi.findPassword, { ...FIND, username: '' }, 'username', '用户名不能为空'],
    [verifyApi.findPassword, { ...FIND, img_code: '' }, 'img_code', '验证码不能为空'],
    [verifyApi.findPassword, { ...FIND, img_code: 'abc' }, 'img_code', '验证码的长度必须为4位'],
    [verifyApi.authentication, { uniqid: 'u', send_type: 'phone', code: '' }, 'code', '手机验证码不能为空'],
    [verifyApi.resetPassword, { ...RESET, password: '', reset_password: '' }, 'password', '密码不能为空'],
    [verifyApi.resetPassword, { ...RESET, reset_password: '' }, 'reset_password', '重复密码不能为空'],
    [verifyApi.resetPassword, { ...RESET, reset_password: 'Fresh2027' }, 'reset_password', '2次密码输入不一致'],
  ],
  'change password': [
    [edit, { ...NEW_PASSWORD, new_password: '' }, 'new_password', '密码不能为空'],
    [edit, { ...NEW_PASSWORD, reset_password: '' }, 'reset_password', '重复密码不能为空'],
    [edit, { new_password: '12345', reset_password: '12345' }, 'new_password', '必须6到18位'],
    [edit, { new_password: LONG, reset_password: LONG }, 'new_password', '必须6到18位'],
    [edit, { ...NEW_PASSWORD, reset_password: 'Fresh2027' }, 'reset_password', '2次密码输入不一致'],
  ],
  'sub-account password': [
    [password, { ...CHANGE, old_password: '' }, 'old_password', '原密码不能为空'],
    [password, { ...CHANGE, password: '' }, 'password', '密码不能为空'],
    [password, { ...CHANGE, reset_password: '' }, 'reset_password', '重复密码不能为空'],
    [password, { ...CHANGE, password: '12345', reset_password: '12345' }, 'password', '密码长度6-18位'],
    [password, { ...CHANGE, reset_password: 'Fresh2027' }, 'reset_password', '2次密码输入不一致'],
  ],
  'bind form': [
    [accountApi.editPhone, { area_code: '86', phone: '' }, 'phone', '请输入手机号码'],
    [accountApi.editEmail, { email: '' }, 'email', '请输入邮箱'],
  ],
  messages: [messageApi.updateMessage, messageApi.deleteMessage].flatMap((spec): Row[] => [
    [spec, {}, 'message_id', '请选择消息标题'],
    [spec, { message_id: [] }, 'message_id', '请选择消息标题'],
  ]),
  contacts: [
    [contactsApi.create, { name: '', email: 'a@b.cn' }, 'name', '请输入名称'],
    [contactsApi.create, { email: 'a@b.cn' }, 'name', '请输入名称'],
    [contactsApi.create, { name: '张三', email: '' }, 'email', '请输入邮箱'],
    [contactsApi.create, { name: '张三', email: 'a@b' }, 'email', '请输入正确的邮箱'],
  ],
  monitor: [
    [webhookApi.setting, { type: '', url: 'https://a.cn/', secret: '' }, 'type', '请输入类型'],
    [webhookApi.setting, { type: 'dingtalk', url: '', secret: '' }, 'url', '请输入URL'],
    [webhookApi.test, { type: 'dingtalk', url: '', secret: '' }, 'url', '请输入URL'],
    [monitorApi.setting, { ...MONITOR, email_confirm: 1 }, 'email_confirm', '请绑定邮箱再进行勾选'],
    [monitorApi.setting, { ...MONITOR, webhook_confirm: 1 }, 'webhook_confirm', '请配置webhook再进行勾选'],
  ],
  'support tickets': [
    [ticketApi.create, { ...TICKET_FORM, title: '' }, 'title', '标题不能为空'],
    [ticketApi.create, { ...TICKET_FORM, title: '断' }, 'title', '标题长度为2-32个字符'],
    [ticketApi.create, { ...TICKET_FORM, title: '断'.repeat(33) }, 'title', '标题长度为2-32个字符'],
    [ticketApi.create, { ...TICKET_FORM, content: ' ' }, 'content', '概述不能为空'],
    [ticketApi.create, { ...TICKET_FORM, content: '断'.repeat(9) }, 'content', '概述不能少于10个字符'],
    [ticketApi.create, { ...TICKET_FORM, type: undefined }, 'type', '问题类型不能为空'],
    [ticketApi.create, { ...TICKET_FORM, type: '' }, 'type', '问题类型不能为空'],
    [ticketApi.create, { ...TICKET_FORM, type: 5 }, 'type', '请选择有效的问题类型'],
    [ticketApi.create, { ...TICKET_FORM, file_ids: ['a', 'b', 'c', 'd'] }, 'file_ids', '最多上传3个文件'],
    [ticketApi.reply, { ticket_number: 'T1', content: ' ', file_ids: [] }, 'content', '回复内容不能为空'],
    [ticketApi.appraise, { ticket_number: 'T1', content: '' }, 'grade', '评分不能为空'],
    [ticketApi.appraise, { ticket_number: 'T1', grade: 0, content: '' }, 'grade', '评分不能为空'],
  ],
}

describe('account 5 · each rule has its sentence, at its field', () => {
  it.each(Object.entries(RULES))('%s', async (_, rows) => {
    const offenders = await findOffenders(rows)(async (spec, input, field, msg) => {
      const token = spec.access === 'public' ? undefined : (spec.access === 'ram' ? sub : main).token
      const answer = await call(spec, input, { ip: nextAddress(), ...(token !== undefined && { token }) })
      expect({ code: answer.code, msg: answer.msg, data: answer.data }).toEqual({
        code: field === 'code' && spec === accountApi.editEmail ? answer.code : 422,
        msg,
        data: { field },
      })
    })
    expect(offenders).toEqual([])
  })
})

describe('account 5 · login trims', () => {
  it('the user name and the captcha', async () => {
    const { uniqid, code } = await createCaptcha('login')
    const answer = await signIn(` ${main.username} `, { uniqid, code: ` ${code} ` })
    expect(answer).toMatchObject({ code: 200, data: { user: { username: main.username } } })
  })
})
