import { isIPv6 } from 'node:net'

/**
 * Canonical spelling of a host, as in WHATWG URLs: lower case, punycode, one spelling of an address, IPv6 without brackets,
 * no trailing dot. Null for a text that is no host.
 */
export function toCanonicalHost(text: string): string | null {
  const bare = text.trim()
  const host = isIPv6(bare) ? `[${bare}]` : bare
  if (!/^([^\s/?#@\\%:[\]]{1,253}|\[[0-9a-f:.]+\])$/i.test(host)) return null
  return URL.parse(`https://${host}`)?.hostname.replace(/^\[(.*)\]$|\.$/, '$1') || null
}
