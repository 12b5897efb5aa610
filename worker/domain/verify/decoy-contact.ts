import type { LoginName } from '../account/login-name.ts'
import { maskEmail, maskPhone } from '../account/mask.ts'

const PREFIXES = [
  '133',
  '135',
  '136',
  '137',
  '138',
  '139',
  '150',
  '151',
  '158',
  '159',
  '176',
  '177',
  '186',
  '187',
  '189',
]
const LETTERS = 'abcdefghjklmnpqrstuvwxyz'
const MAIL_HOSTS = ['qq.com', '163.com', '126.com', 'sina.com', 'outlook.com', 'foxmail.com', 'aliyun.com', 'gmail.com']

/**
 * Masked decoy phone and e-mail for an unknown name, deterministic by name, so that repeated requests reveal
 * nothing. A name that is itself a phone or e-mail is answered with its own mask, as a real account would be.
 *
 * @param digest keyed hash of the name, 16 bytes or more.
 */
export function decoyContact(name: LoginName, digest: Uint8Array): { phone: string; email: string } {
  const at = (i: number) => digest[i % digest.length] ?? 0
  const pick = <T>(list: ArrayLike<T>, i: number): T | undefined => list[at(i) % list.length]
  const shape = at(0) % 8 // most accounts have a phone only, some both, few an e-mail only
  const tail = String((at(2) * 256 + at(3)) % 10_000).padStart(4, '0')
  const phone = `${pick(PREFIXES, 1)}0000${tail}`
  const email = `${pick(LETTERS, 4)}@${pick(MAIL_HOSTS, 5)}`
  const isEmail = name.text.includes('@')
  return {
    phone: name.phone ? maskPhone(name.phone.areaCode, name.phone.number) : shape === 7 ? '' : maskPhone('86', phone),
    email: isEmail ? maskEmail(name.text) : shape < 5 ? '' : maskEmail(email),
  }
}
