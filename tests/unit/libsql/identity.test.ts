import { describe, expect, it } from 'vitest'
import { SESSION } from '../../../worker/contract/limits.ts'
import { editSign } from '../../../worker/features/account/sign.ts'
import { register } from '../../../worker/features/account/register.ts'
import { tokenLinkHash } from '../../../worker/features/login/queries.ts'
import { logout, refresh } from '../../../worker/features/login/session.ts'
import { signIn, signInByLink } from '../../../worker/features/login/sign-in.ts'
import { changeRamPassword } from '../../../worker/features/ram/password.ts'
import { addRouter } from '../../../worker/features/router/add.ts'
import { drawNewCaptcha } from '../../../worker/features/verify/captcha.ts'
import { sendRegisterCode } from '../../../worker/features/verify/code.ts'
import {
  authenticate,
  findPassword,
  resetPassword,
  sendRecoveryCode,
} from '../../../worker/features/verify/recovery.ts'
import { activationHash } from '../../../worker/security/activation.ts'
import type { Ctx } from '../../../worker/http/context.ts'
import { hashPassword } from '../../../worker/security/password.ts'
import { readAccessToken } from '../../../worker/security/tokens.ts'
import { NOW, aContext, run } from '../../support/libsql.ts'

// Who signs in, and how, on libSQL: the other half of what networks.test.ts does for networks.

const SECRET = aContext().env.HMAC_SECRET
let visitors = 0

/** Somebody at an address of their own: reads captchas and mails, and keeps cookies. */
function aVisitor(over: Partial<Ctx> = {}) {
  const mails: string[] = []
  let captcha = ''
  const work: Promise<unknown>[] = []
  const ctx: { -readonly [K in keyof Ctx]: Ctx[K] } = {
    ...aContext(over),
    ip: `10.0.0.${++visitors}`,
    outside: {
      sms: { sendCode: async () => {} },
      mail: { send: async (_to, _subject, _text, { code = '' } = {}) => void mails.push(code) },
      captchaLog: async (_uniqid, text) => void (captcha = text),
    },
    waitUntil: (promise) => void work.push(promise),
    setCookie: (header) => {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? []
      ctx.cookies = { [name]: value }
    },
  }
  return {
    ctx,
    mail: async () => (await Promise.all(work), mails.at(-1) ?? ''),
    captcha: async (purpose: 'login' | 'register' | 'find_password') => {
      const { uniqid } = await drawNewCaptcha(ctx, purpose)
      return { uniqid, code: captcha }
    },
    cookie: () => Object.values(ctx.cookies)[0] ?? '',
  }
}

const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: { violation?: { key: string } }) => error.violation?.key ?? String(error),
  )
const idOf = async (username: string) =>
  Number((await run('select id from accounts where username = ?', [username]))[0]?.['id'])
const actions = async (accountId: number) =>
  (await run('select action from audit_logs where account_id = ? order by id', [accountId])).map((row) => row['action'])

/** An account made the way people make theirs. */
async function registered(username: string) {
  const visitor = aVisitor()
  const { uniqid, code } = await visitor.captcha('register')
  const to = { send_type: 'email', send_value: `${username}@example.cn` } as const
  await sendRegisterCode(visitor.ctx, { ...to, img_code: code, uniqid })
  const form = { nickname: '张三', username, password: 'secret1', newPassword: 'secret1' }
  const input = { ...form, type: 'email', verify: to.send_value, code: await visitor.mail() } as const
  await register(visitor.ctx, input)
  return { id: await idOf(username), input }
}

async function signedIn(username: string, password = 'secret1', kind: 'main' | 'ram' = 'main') {
  const visitor = aVisitor()
  const reply = await signIn(visitor.ctx, kind, { username, password, ...(await visitor.captcha('login')) })
  visitor.ctx.session = await readAccessToken(visitor.ctx.env.JWT_KEYS, reply.access_token, NOW)
  return { ...visitor, reply }
}

describe('identity on libSQL', () => {
  it('registers once with one code, and signs in by name and by e-mail', async () => {
    const { id, input } = await registered('reguser1')
    expect(await refusalOf(register(aContext(), input))).toBe('CODE_WRONG')
    expect((await signedIn('reguser1')).reply.user).toMatchObject({ username: 'reguser1', ram: 0 })
    await signedIn('REGUSER1@example.cn'.toLowerCase())
    expect(await refusalOf(signedIn('reguser1', 'wrong-1'))).toBe('LOGIN_FAILED')
    expect(await actions(id)).toEqual(['register', 'sign_in', 'sign_in'])
  })

  it('rotates the refresh token; the old one is good for moments, then ends the session', async () => {
    const { id } = await registered('refuser1')
    const { ctx, cookie } = await signedIn('refuser1')
    const [name = ''] = Object.keys(ctx.cookies)
    const first = cookie()
    await refresh(ctx)
    const second = cookie()
    expect(second).not.toBe(first)
    ctx.cookies = { [name]: first }
    await refresh(ctx)
    expect(cookie()).toBe(second) // the other tab got the same successor
    ctx.cookies = { [name]: first }
    ctx.now = NOW + SESSION.refreshGraceMs + 1
    expect(await refusalOf(refresh(ctx))).toBe('SESSION_REVOKED')
    ctx.cookies = { [name]: second }
    expect(await refusalOf(refresh(ctx))).toBe('SESSION_REVOKED')
    expect(await actions(id)).toEqual(['register', 'sign_in', 'refresh_reused'])
  })

  it('signs out once', async () => {
    const { id } = await registered('outuser1')
    const { ctx } = await signedIn('outuser1')
    await logout(ctx)
    await logout(ctx)
    expect(await run('select 1 from sessions where account_id = ? and ended_at is null', [id])).toEqual([])
    expect(await actions(id)).toEqual(['register', 'sign_in', 'sign_out'])
  })

  it('takes a token link once, and none of a disabled account', async () => {
    const { id } = await registered('linkuser1')
    const hash = await tokenLinkHash(SECRET, 'link')
    await run('insert into token_links (token_hash, account_id, expires_at) values (?, ?, ?)', [hash, id, NOW + 1000])
    await run('update accounts set status = 0 where id = ?', [id])
    expect(await refusalOf(signInByLink(aContext(), 'link'))).toBe('ACCOUNT_DISABLED')
    await run('update accounts set status = 1 where id = ?', [id])
    expect(await signInByLink(aContext(), 'link')).toMatchObject({ user: { username: 'linkuser1' } })
    expect(await refusalOf(signInByLink(aContext(), 'link'))).toBe('LINK_BAD')
    expect(await actions(id)).toEqual(['register', 'sign_in'])
  })

  it('recovers a password by mail, which ends every session', async () => {
    const { id } = await registered('recuser1')
    await signedIn('recuser1')
    const { ctx, captcha, mail } = aVisitor()
    const { uniqid: drawn, code: img_code } = await captcha('find_password')
    const { uniqid, email } = await findPassword(ctx, { username: 'recuser1', img_code, uniqid: drawn })
    expect(email).toMatch(/\*/)
    await sendRecoveryCode(ctx, uniqid, 'email')
    expect(await refusalOf(authenticate(ctx, uniqid, 'email', '000000'))).toBe('CODE_WRONG')
    expect(await refusalOf(resetPassword(ctx, uniqid, 'secret2'))).toBe('RECOVERY_STEP')
    const right = await mail()
    const both = [1, 2].map(() => refusalOf(authenticate(ctx, uniqid, 'email', right)))
    expect((await Promise.all(both)).toSorted()).toEqual(['RECOVERY_STEP', null])
    await resetPassword(ctx, uniqid, 'secret2')
    expect(await refusalOf(resetPassword(ctx, uniqid, 'secret3'))).toBe('RECOVERY_STEP')
    expect(await run('select 1 from sessions where account_id = ? and ended_at is null', [id])).toEqual([])
    await signedIn('recuser1', 'secret2')
  })

  it('changes a sub-account’s password, and signs it out', async () => {
    const { id } = await registered('ramuser1')
    await run(`insert into ram_roles (id, account_id, name, created_at, updated_at) values (?, ?, 'r', 0, 0)`, [id, id])
    await run(
      `insert into ram_accounts (account_id, role_id, username, nickname, password, created_at) values (?, ?, 'sub', '', ?, 0)`,
      [id, id, await hashPassword('secret1')],
    )
    const { ctx } = await signedIn('sub@ramuser1', 'secret1', 'ram')
    expect(await refusalOf(changeRamPassword(ctx, 'wrong-1', 'secret2'))).toBe('OLD_PASSWORD_WRONG')
    await changeRamPassword(ctx, 'secret1', 'secret2')
    expect(await run('select 1 from sessions where account_id = ? and ended_at is null', [id])).toEqual([])
    expect((await signedIn('sub@ramuser1', 'secret2', 'ram')).reply.user).toMatchObject({ ram: 1 })
  })

  it('names software members by the suffix, and claims a device for the right code only', async () => {
    const { id } = await registered('adduser1')
    await run(
      `insert into services (account_id, kind, name, quantity, start_at, expire_at) values (?, 'software_member', '', 1, 0, ?)`,
      [id, NOW + 1],
    )
    const { ctx } = await signedIn('adduser1')
    await editSign(ctx, 'suffix1')
    const form = {
      router_type: 2,
      username: 'li.na',
      password: 'secret1',
      area_code: '86',
      phone: '',
      note: '',
    } as const
    expect(await addRouter(ctx, { ...form, type: 1, code: '' })).toEqual({ router_name: 'li.na@suffix1' })
    await editSign(ctx, 'SUFFIX1')
    await editSign(ctx, 'SUFFIX1')
    expect(await run('select name from routers where account_id = ?', [id])).toMatchObject([{ name: 'li.na@SUFFIX1' }])

    const hash = await activationHash(SECRET, 'NL-1', 'AAAA-AAAA-AAAA')
    await run(`insert into devices (serial, model, activation_hash, created_at) values ('NL-1', 'X', ?, 0)`, [hash])
    const claim = (code: string) => addRouter(ctx, { router_type: 1, username: 'nl-1', code, note: '' })
    const wrong = await Promise.all(Array.from({ length: 7 }, () => refusalOf(claim('BBBB-BBBB-BBBB'))))
    expect(wrong.toSorted()).toEqual([...Array(5).fill('DEVICE_UNKNOWN'), 'TOO_OFTEN', 'TOO_OFTEN'])
    expect(await refusalOf(claim('AAAA-AAAA-AAAA'))).toBe('TOO_OFTEN')
    ctx.now += 900_001
    expect(await claim('AAAA-AAAA-AAAA')).toEqual({ router_name: 'NL-1' })
    expect(await refusalOf(claim('AAAA-AAAA-AAAA'))).toBe('DEVICE_CLAIMED')
    expect(await actions(id)).toEqual(['register', 'sign_in', 'edit_sign', 'add', 'edit_sign', 'add'])
  })
})
