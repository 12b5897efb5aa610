import type { AuthSourceForm, AuthSourceType } from '#contract/auth-source/index.ts'
import { AUTH_SOURCE } from '#contract/auth-source/limits.ts'
import type { VendorCredentials, VendorRefusal } from '#contract/auth-source/vendor.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import { isPublicHostName } from '#domain/outbound/public-address.ts'
import { ACCOUNT_HOSTS } from '#domain/site/brand.ts'

/* Authentication sources: their stored values, their ID, and the proof of an own domain. */

/** Stored columns of an authentication source, without the secret. */
export interface SourceValues extends Omit<VendorCredentials, 'appSecret'> {
  readonly name: string
  /** The customer's own callback domain and WeCom's file on it; all '' for the console's domain. */
  readonly authDomain: string
  readonly fileName: string
  readonly fileContent: string
}

export const VENDOR_NAME: Readonly<Record<AuthSourceType, string>> = {
  wechat: '企业微信',
  feishu: '飞书',
  dingtalk: '钉钉',
}

/** Drops fields that the vendor does not have, even if they were sent. @param asciiDomain the domain as DNS has it */
export function toSourceValues(form: AuthSourceForm, asciiDomain: string): SourceValues {
  const isWechat = form.type === 'wechat'
  const isOwn = isWechat && asciiDomain !== ''
  return {
    type: form.type,
    name: form.name,
    appId: form.app_id,
    agentId: isWechat ? form.agent_id : '',
    corpId: form.type === 'dingtalk' ? form.corp_id : '',
    authDomain: isOwn ? asciiDomain : '',
    fileName: isOwn ? form.file_name : '',
    fileContent: isOwn ? form.file_content : '',
  }
}

const CREDENTIALS = ['appId', 'agentId', 'corpId'] as const

/** The type stays; a stored secret never goes to another application. */
export function checkSourceEdit(after: SourceValues, before: SourceValues, hasSecret: boolean): Violation | null {
  if (after.type !== before.type) return violation('AUTH_SOURCE_TYPE_FIXED')
  const isOther = CREDENTIALS.some((field) => after[field] !== before[field])
  return isOther && !hasSecret ? violation('AUTH_SOURCE_SECRET_AGAIN') : null
}

interface Organisation extends Pick<SourceValues, 'appId' | 'corpId'> {
  /** '' until a sign-in reveals it. */
  readonly tenant: string
}

/** True if the source now has other people. Sign-ins of the former ones end, and their user ids become invalid. */
export const isOtherOrganisation = (after: Organisation, before: Organisation): boolean =>
  after.appId !== before.appId ||
  after.corpId !== before.corpId ||
  (after.tenant !== '' && before.tenant !== '' && after.tenant !== before.tenant)

/** The tenant to record: the vendor's answer, or the recorded one while the organisation stays the same. */
export const nextTenant = (after: Organisation, before: Organisation): string =>
  after.tenant !== '' ? after.tenant : isOtherOrganisation(after, before) ? '' : before.tenant

export const refusedBy = (type: AuthSourceType, { code, message }: VendorRefusal, field?: string): Violation =>
  violation('AUTH_VENDOR_REFUSED', { vendor: VENDOR_NAME[type], code, message: toWords(message) }, field)

const toWords = (message: string): string =>
  [...message.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()].slice(0, AUTH_SOURCE.wordsMax).join('')

/** WeCom's proof of a callback domain: the file's text is the code in its name. */
const FILE_NAME = /^WW_verify_([A-Za-z0-9]{8,32})\.txt$/

const isOurs = (domain: string): boolean => ACCOUNT_HOSTS.some((host) => domain === host || domain.endsWith(`.${host}`))

/** A customer's own callback domain needs WeCom's unchanged file. */
export function checkOwnDomain({ authDomain, fileName, fileContent }: SourceValues): Violation | null {
  if (authDomain === '') return null
  if (isOurs(authDomain) || !isPublicHostName(authDomain)) return violation('AUTH_DOMAIN_INVALID')
  const [, code] = FILE_NAME.exec(fileName) ?? []
  return code !== undefined && code === fileContent ? null : violation('AUTH_DOMAIN_FILE')
}

/** Displayed form of a code: `K7Q2-9XTM`. */
export const formatSourceCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** File name of a downloaded build: `Netloom.exe` becomes `Netloom-K7Q2-9XTM.exe`. The client reads the ID from it. */
export function nameWithSource(fileName: string, code: string): string {
  const [, stem = fileName, extension = ''] = /^(.+?)((?:\.tar)?\.[A-Za-z0-9]+)$/.exec(fileName) ?? []
  return `${stem}-${formatSourceCode(code)}${extension}`
}
