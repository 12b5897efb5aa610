import { isIPv6 } from 'node:net'

/**
 * Host as WHATWG URLs write it: lower case, punycode, one spelling of an address, an IPv6 address without brackets, no
 * trailing dot. Null for what is no host.
 */
export function toCanonicalHost(text: string): string | null {
  const bare = text.trim()
  const host = isIPv6(bare) ? `[${bare}]` : bare
  if (!/^([^\s/?#@\\%:[\]]{1,253}|\[[0-9a-f:.]+\])$/i.test(host)) return null
  return URL.parse(`https://${host}`)?.hostname.replace(/^\[(.*)\]$|\.$/, '$1') || null
}
