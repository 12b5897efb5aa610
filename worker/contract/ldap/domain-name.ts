export const DOMAIN_BAD = '请检查域名格式'

const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?`
const NAME = String.raw`(?:${LABEL}\.)+${LABEL}`
/** A name of two labels or more, also an international one. */
export const DOMAIN_NAME = new RegExp(`^${NAME}$`, 'u')
export const DOMAIN_NAME_OR_NONE = new RegExp(`^(?:${NAME})?$`, 'u')
