import { verifyApi } from '#contract/verify/index.ts'
import { createCaptcha, nextAddress } from './identity.ts'
import { createPerson } from './own-contact.ts'
import { call } from './test-worker.ts'

/** Somebody who can recover by phone and by e-mail; `to` is the phone as codes are sent to it. */
export async function createRecoverable() {
  const { main, phone } = await createPerson()
  return { ...main, phone: phone.slice('+86 '.length), to: phone }
}

/** Opens a recovery. */
export async function openRecovery(username: string) {
  const { uniqid, code } = await createCaptcha('find_password')
  return call(verifyApi.findPassword, { username, img_code: code, uniqid }, { ip: nextAddress() })
}
/** Asks for its code. */
export const sendRecoveryCode = (uniqid: string, send_type: 'phone' | 'email' = 'phone') =>
  call(verifyApi.findPasswordCode, { uniqid, send_type }, { ip: nextAddress() })
