/* Syntax of domain names, also international ones. */

export const DOMAIN_BAD = '请检查域名格式'

const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?`
const NAME = String.raw`(?:${LABEL}\.)+${LABEL}`
/** Name with two labels or more. */
export const DOMAIN_NAME = new RegExp(`^${NAME}$`, 'u')
export const DOMAIN_NAME_OR_NONE = new RegExp(`^(?:${NAME})?$`, 'u')
