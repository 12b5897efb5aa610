import type { VendorRefusal } from '#contract/auth-source/vendor.ts'
import { Refusal } from '#contract/kernel/errors.ts'
import { findDialCode, mainlandPhone } from '#contract/kernel/fields.ts'
import { safeWords } from '#domain/outbound/safe-words.ts'
import type { Provider } from '#outside/outbound-url.ts'
import type { Outbound, OutboundRequest } from '#outside/outbound.ts'

/** JSON object of a vendor; which fields it has is what its adapter checks. */
export type VendorReply = Readonly<Record<string, unknown>>

/** Calls of the vendors' APIs: 5 s each, checked by the body and never by the status. */
export interface VendorApi {
  /** Null where no answer came, or none that is a JSON object. */
  call(provider: Provider, path: `/${string}`, request?: OutboundRequest): Promise<VendorReply | null>
  /** Address for the person's browser. */
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

/**
 * `+8613800000000`, `+852 91234567` or a bare mainland number; no number where it is neither. No dial code is the beginning
 * of another, so digits behind + can be told apart.
 */
export function splitPhone(text: string): { readonly areaCode: string; readonly phone: string } {
  const digits = text.replace(/\D/g, '')
  const areaCode = text.trim().startsWith('+') ? (findDialCode(digits) ?? '') : mainlandPhone.test(digits) ? '86' : ''
  const phone = text.trim().startsWith('+') ? digits.slice(areaCode.length) : digits
  return areaCode === '' || phone === '' ? { areaCode: '', phone: '' } : { areaCode, phone }
}

/** The vendor's no in its own words, without our secrets, addresses and its tracing hints. */
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
