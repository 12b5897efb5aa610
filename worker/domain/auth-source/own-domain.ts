import { type Violation, violation } from '#contract/kernel/result.ts'
import { isPublicHostName } from '#domain/outbound/host-name.ts'
import { ACCOUNT_HOSTS } from '#domain/site/brand.ts'
import type { SourceValues } from './source.ts'

/** WeCom's proof of a callback domain: the file's text is the code in its name. */
const FILE_NAME = /^WW_verify_([A-Za-z0-9]{8,32})\.txt$/

const isOurs = (domain: string): boolean => ACCOUNT_HOSTS.some((host) => domain === host || domain.endsWith(`.${host}`))

/** A callback domain of the customer's own needs WeCom's file, unchanged. */
export function checkOwnDomain({ authDomain, fileName, fileContent }: SourceValues): Violation | null {
  if (authDomain === '') return null
  if (isOurs(authDomain) || !isPublicHostName(authDomain)) return violation('AUTH_DOMAIN_INVALID')
  const [, code] = FILE_NAME.exec(fileName) ?? []
  return code !== undefined && code === fileContent ? null : violation('AUTH_DOMAIN_FILE')
}
