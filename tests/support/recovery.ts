import { verifyApi } from '../../worker/contract/verify.ts'
import { createMainAccount, unique } from './fixtures.ts'
import { createCaptcha, nextAddress } from './identity.ts'
import { call } from './test-worker.ts'

let last = 0
/** Somebody who can recover by phone and by e-mail; `to` is the phone as codes are sent to it. */
export async function createPerson() {
  const phone = `177${String(Date.now() % 10_000).padStart(4, '0')}${String(last++).padStart(4, '0')}`
  const main = await createMainAccount({ phone, email: `${unique('mail')}@example.com` })
  return { ...main, phone, to: `+86 ${phone}` }
}

/** Opens a recovery. */
export async function find(username: string) {
  const { uniqid, code } = await createCaptcha('find_password')
  return call(verifyApi.findPassword, { username, img_code: code, uniqid }, { ip: nextAddress() })
}
/** Asks for its code. */
export const send = (uniqid: string, send_type: 'phone' | 'email' = 'phone') =>
  call(verifyApi.findPasswordCode, { uniqid, send_type }, { ip: nextAddress() })
