/** Top-level names that are never in the public DNS (RFC 6761, 6762, 7686, 8375, 9476; ICANN on .internal) or only ever private. */
const PRIVATE_TOP_LEVEL = new Set([
  'alt',
  'arpa',
  'corp',
  'example',
  'home',
  'internal',
  'intranet',
  'invalid',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'mail',
  'onion',
  'private',
  'test',
])

/**
 * A lower-case ASCII name of the public DNS: two labels or more, no trailing dot, a top level of letters. That leaves out
 * every spelling of an IP address: WHATWG URLs and inet_aton read a host as one only when its last label is a number.
 */
export function isPublicHostName(host: string): boolean {
  const labels = host.split('.')
  const top = labels.at(-1) ?? ''
  return (
    host.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label)) &&
    /^([a-z]{2,63}|xn--[a-z0-9-]+)$/.test(top) &&
    !PRIVATE_TOP_LEVEL.has(top)
  )
}
