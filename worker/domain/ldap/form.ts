import { PASSWORD_REQUIRED } from '#contract/kernel/fields.ts'
import { type LdapForm, missingFields } from '#contract/ldap/form.ts'
import type { DirectoryValues } from '#contract/ldap/hub.ts'
import { DIRECTORY_PORTS } from '#contract/ldap/limits.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import { isPublicAddress, isPublicHostName } from '#domain/outbound/public-address.ts'

/* Checks of the LDAP settings form (LDAP接入): encryption, allowed addresses, edits that need the password, notices. */

type TlsFields = Pick<LdapForm, 'use_ssl' | 'use_tls'>

/** `use_ssl` is LDAPS, `use_tls` StartTLS. */
export const securityOf = ({ use_ssl, use_tls }: TlsFields): DirectoryValues['security'] =>
  use_ssl === 1 ? 'ldaps' : use_tls === 1 ? 'starttls' : 'none'

const MISSING = { router_name: 'LDAP_ROUTER_REQUIRED', ca_id: 'LDAP_CA_REQUIRED' } as const

/** Checks what one choice of the form asks of other fields. */
export function checkChoices(form: TlsFields & Parameters<typeof missingFields>[0]): Violation | null {
  if (form.use_ssl === 1 && form.use_tls === 1) return violation('LDAP_TLS_TWICE')
  const [missing] = missingFields(form)
  return missing === undefined ? null : violation(MISSING[missing])
}

const isLiteral = (host: string): boolean => host.includes(':') || /^[\d.]+$/.test(host)
const isBelow = (name: string, domain: string): boolean => name === domain || name.endsWith(`.${domain}`)

/** Rules for the address in public mode. Names are resolved, and their addresses checked, on connecting. */
export function checkPublicHost({ host, port, domain, certificateName }: DirectoryValues): Violation | null {
  if (isLiteral(host) ? !isPublicAddress(host) : !isPublicHostName(host)) return violation('LDAP_PRIVATE_ADDRESS')
  if (!DIRECTORY_PORTS.includes(port)) return violation('LDAP_PORT_NOT_ALLOWED')
  if (!isLiteral(host)) return isBelow(host, domain) ? null : violation('LDAP_HOST_OUTSIDE')
  return isBelow(certificateName, domain) ? null : violation('LDAP_ADDRESS_NAMELESS')
}

/** Fields of the address. A stored password is never sent to a new address. */
const ADDRESS = ['mode', 'routerId', 'host', 'port', 'security', 'caKey', 'certificateName', 'username'] as const

/** @param before null: nothing is stored. */
export function checkEdit(
  values: DirectoryValues,
  before: DirectoryValues | null,
  hasPassword: boolean,
): Violation | null {
  if (before === null) return hasPassword ? null : violation('INPUT_INVALID', { reason: PASSWORD_REQUIRED }, 'password')
  if (values.baseDn !== before.baseDn) return violation('LDAP_BASE_FIXED')
  const moved = ADDRESS.some((field) => values[field] !== before[field])
  return moved && !hasPassword ? violation('LDAP_PASSWORD_AGAIN') : null
}

/** `3 个用户的手机号没有采用…` */
export const phonesLeftText = (count: number): string =>
  `${count} 个用户的手机号无法识别、有多个或与他人相同，导入后手机号为空，请在目录中修正`

export const NOTICE = {
  plain: '当前未加密连接，目录账号和密码可能被窃听，公网模式下成员无法用目录密码登录，请开启SSL或StartTLS',
  nobody: '没有找到用户，请核对 Base DN、用户过滤条件和用户名属性',
  filter: '用户过滤条件排除了已禁用的用户，他们会被视为已从目录中删除',
} as const

/** Matches a filter on attributes that mark disabled users. */
const HIDES_DISABLED = /useraccountcontrol|nsaccountlock|pwdaccountlockedtime|shadowexpire|accountexpires/i

export function noticesOf({ mode, security, userFilter }: DirectoryValues): string[] {
  return [
    ...(mode === 'public' && security === 'none' ? [NOTICE.plain] : []),
    ...(HIDES_DISABLED.test(userFilter) ? [NOTICE.filter] : []),
  ]
}
