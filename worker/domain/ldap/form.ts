import { PASSWORD_REQUIRED } from '#contract/kernel/fields.ts'
import type { DirectoryValues } from '#contract/ldap/hub.ts'
import { DIRECTORY_PORTS } from '#contract/ldap/limits.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import { isPublicAddress, isPublicHostName } from '#domain/outbound/public-address.ts'

/* Checks of the LDAP settings form (LDAP接入): encryption, allowed addresses, edits that need the password, notices. */

interface TlsFields {
  readonly use_ssl: 0 | 1
  readonly use_tls: 0 | 1
  readonly ca_id: string
  readonly public_ca: 0 | 1
}

/** `use_ssl` is LDAPS, `use_tls` StartTLS. */
export const securityOf = ({ use_ssl, use_tls }: Pick<TlsFields, 'use_ssl' | 'use_tls'>): DirectoryValues['security'] =>
  use_ssl === 1 ? 'ldaps' : use_tls === 1 ? 'starttls' : 'none'

export function checkTls(form: TlsFields): Violation | null {
  if (form.use_ssl === 1 && form.use_tls === 1) return violation('LDAP_TLS_TWICE')
  const isEncrypted = securityOf(form) !== 'none'
  return isEncrypted && form.public_ca === 0 && form.ca_id === '' ? violation('LDAP_CA_REQUIRED') : null
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

export const NOTICE = {
  plain: '当前未加密连接，目录账号和密码可能被窃听，公网模式下成员无法用目录密码登录，请开启SSL或StartTLS',
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
