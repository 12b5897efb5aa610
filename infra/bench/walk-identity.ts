import { createHash } from 'node:crypto'
import { accountApi } from '../../worker/contract/account.ts'
import { loginApi } from '../../worker/contract/login.ts'
import { ramApi } from '../../worker/contract/ram.ts'
import { verifyApi } from '../../worker/contract/verify.ts'
import { hasZeroBits } from '../../worker/domain/verify/proof.ts'
import type { Walker } from './walk.ts'

/** What the walk through every way in needs beyond calls. */
export interface Doors {
  /** The text of a captcha. */
  captcha(uniqid: string): Promise<string>
  /** The token of a fresh link of the account. */
  tokenLink(account: string): Promise<string>
  /** Makes a sub-account and answers its sign-in name. */
  subAccount(account: string, password: string): Promise<string>
  /** Calls login/refresh with the cookie of the last sign-in. */
  refresh(): Promise<void>
}

/** Every way in, out and back in, of a person who registers as `username`. */
export async function walkIdentity({ call, code }: Walker, doors: Doors, username: string): Promise<void> {
  const [password, changed] = ['secret1', 'secret2']
  const captcha = async (purpose: 'login' | 'register' | 'find_password') => {
    const { uniqid } = await call(verifyApi.code, { purpose })
    return { uniqid, text: await doors.captcha(uniqid) }
  }

  const forCode = await captcha('register')
  const to = { send_type: 'email', send_value: `${username}@example.cn` } as const
  await call(verifyApi.register, { ...to, img_code: forCode.text, uniqid: forCode.uniqid })
  const form = { nickname: '测量', username, password, newPassword: password }
  const sent = await code('mail', to.send_value)
  await call(accountApi.register, { ...form, type: 'email', verify: to.send_value, code: sent })

  const { challenge, difficulty } = await call(verifyApi.challenge, { purpose: 'login' })
  const proved = await call(verifyApi.proof, { challenge, nonce: solve(challenge, difficulty) })
  const { access_token: token } = await call(loginApi.account, { username, password, ...proved })
  await doors.refresh()
  await call(loginApi.logout, {}, token)
  await call(loginApi.authorization, { token: await doors.tokenLink(username) })

  const name = await doors.subAccount(username, password)
  const { uniqid, text } = await captcha('login')
  const sub = await call(loginApi.ram, { username: name, password, code: text, uniqid })
  await call(ramApi.password, { old_password: password, password: changed, reset_password: changed }, sub.access_token)

  const forRecovery = await captcha('find_password')
  const found = await call(verifyApi.findPassword, {
    username,
    img_code: forRecovery.text,
    uniqid: forRecovery.uniqid,
  })
  const step = { uniqid: found.uniqid, send_type: 'email' } as const
  await call(verifyApi.findPasswordCode, step)
  await call(verifyApi.authentication, { ...step, code: await code('mail', to.send_value) })
  await call(verifyApi.resetPassword, { uniqid: found.uniqid, password: changed, reset_password: changed })
}

function solve(challenge: string, difficulty: number): string {
  for (let nonce = 0; ; nonce++) {
    const digest = createHash('sha256').update(`${challenge}.${nonce}`).digest()
    if (hasZeroBits(digest, difficulty)) return String(nonce)
  }
}
