import type { VendorRefusal } from '#contract/auth-source/vendor.ts'
import { Refusal } from '#contract/kernel/errors.ts'
import { splitPhone } from '#contract/kernel/input/phone.ts'
import { safeWords } from '#domain/outbound/safe-words.ts'
import type { Provider } from '#outside/outbound-url.ts'
import type { Outbound, OutboundRequest } from '#outside/outbound.ts'

/* HTTP calls of the APIs of sign-in vendors, and helpers for their replies. */

/** JSON object from a vendor. The adapter of the vendor checks its fields. */
export type VendorReply = Readonly<Record<string, unknown>>

/** Calls of a vendor's API. Each has 5 s; the body and never the status tells success. */
export interface VendorApi {
  /** Returns null without an answer, or if the answer is no JSON object. */
  call(provider: Provider, path: `/${string}`, request?: OutboundRequest): Promise<VendorReply | null>
  /** Address that the browser of the person opens. */
  browserUrl(provider: Provider, path: `/${string}`, query: Readonly<Record<string, string>>): string
}

interface Ports {
  readonly outbound: Pick<Outbound, 'toProvider'>
  readonly toUrl: (provider: Provider, path: `/${string}`) => URL
}

export const createVendorApi = ({ outbound, toUrl }: Ports): VendorApi => ({
  async call(provider, path, request = {}) {
    try {
      const body = (await outbound.toProvider(provider, path, request)).json()
      return body !== null && typeof body === 'object' && !Array.isArray(body) ? (body as VendorReply) : null
    } catch (error) {
      if (error instanceof Refusal) return null
      throw error
    }
  },
  browserUrl(provider, path, query) {
    const url = toUrl(provider, path)
    url.search = String(new URLSearchParams(query))
    return url.href
  },
})

export const postJson = (body: object): OutboundRequest => ({
  method: 'POST',
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(body),
})

export const readText = (reply: VendorReply, name: string): string => {
  const value = reply[name]
  return typeof value === 'string' ? value : ''
}

/** Phone of a vendor's reply; empty if it is neither a mainland number nor one with a dial code. */
export function readVendorPhone(text: string): { readonly areaCode: string; readonly phone: string } {
  const { areaCode, number } = splitPhone(text) ?? { areaCode: '', number: '' }
  return number === '' ? { areaCode: '', phone: '' } : { areaCode, phone: number }
}

/** Refusal in the words of the vendor, without our secrets, addresses and its tracing hints. */
export function refusedWith(
  code: string,
  words: string,
  field: VendorRefusal['field'],
  secrets: readonly string[],
): VendorRefusal {
  const message = safeWords(
    words.replace(/,? *(hint|more info at)\b.*$/is, '').replace(/,? *from ip: *\S+/gi, ''),
    secrets,
  )
  return { refused: true, code, message, field }
}
