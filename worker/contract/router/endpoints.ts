import * as z from 'zod'
import { hostName } from '#contract/device/document-fields.ts'
import { ENDPOINTS } from '#contract/device/limits.ts'
import { dottedString } from '#contract/kernel/fields.ts'
import { sentenceOf } from '#contract/kernel/input/input-sentence.ts'
import { isUnicast } from '#contract/kernel/ipv4.ts'

/* Addresses and names at which other members dial a router, as people and command lines give them. */

/** Loopback, link-local and multicast addresses, and IPv4 addresses in another spelling. */
const OTHER_IPV6 = /^(?:::1?$|::ffff:|fe[89ab]|ff)/

const isIpv6Unicast = (text: string): boolean => z.ipv6().safeParse(text).success && !OTHER_IPV6.test(text)

/** True for an address of another host, public or private, or a DNS name; both in lower case. */
export const isEndpointHost = (text: string): boolean =>
  isUnicast(text) || isIpv6Unicast(text) || hostName.safeParse(text).success

const HOST_BAD = '请输入正确的IP地址或域名，不含端口'
const host = dottedString({ error: sentenceOf('地址') })
  .toLowerCase()
  .min(1, '请输入IP地址或域名')
  .max(ENDPOINTS.hostMax, HOST_BAD)
  .refine(isEndpointHost, HOST_BAD)

/** Rows without a text have a sentence of their own. */
const areDifferent = (rows: readonly { readonly host: string }[]): boolean => {
  const hosts = rows.flatMap((row) => row.host || [])
  return new Set(hosts).size === hosts.length
}

export const endpointsForm = z.object({
  endpoints: z
    .array(z.object({ host }))
    .max(ENDPOINTS.chosenMax, `接入地址最多添加${ENDPOINTS.chosenMax}个`)
    .refine(areDifferent, '接入地址不能重复'),
})
