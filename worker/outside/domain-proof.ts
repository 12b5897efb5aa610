import * as z from 'zod'
import type { DomainPort } from '#contract/kernel/outside.ts'
import { isPublicHostName } from '#domain/outbound/public-address.ts'
import { timingSafeEqual } from '#security/secrets.ts'
import type { Outbound } from './outbound.ts'

/* Proof that a customer owns a domain: a file at its root, or a TXT record. */

/** Longest file of a token; a longer body is another page. */
const MAX_BYTES = 4_096
const TIMEOUT_MS = 8_000

const reply = z.object({ Answer: z.array(z.object({ type: z.int(), data: z.string() })).optional() })
const TXT = 16 // RFC 1035

/** Looks for the file by https, then by http, and for the TXT record. */
export const createDomainProof = (outbound: Outbound): DomainPort => ({
  async isProved({ domain, fileName, token }) {
    if (!isPublicHostName(domain)) return false
    const isToken = (text: string) => timingSafeEqual(text.trim(), token)
    for (const scheme of ['https', 'http']) {
      const text = await readFile(outbound, domain, `${scheme}://${domain}/${fileName}`).catch(() => '')
      if (isToken(text)) return true
    }
    return (await readTexts(outbound, domain).catch(() => [])).some(isToken)
  },
})

/** Body of an answer 200 up to `MAX_BYTES`; empty for any other answer. */
async function readFile(outbound: Outbound, domain: string, url: string): Promise<string> {
  const { status, isCut, text } = await outbound.toDomain(domain, url, { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })
  return status === 200 && !isCut ? text : ''
}

async function readTexts(outbound: Outbound, name: string): Promise<readonly string[]> {
  const query = `?${new URLSearchParams({ name, type: 'TXT' })}` as const
  const answer = await outbound.toProvider('DNS', query, { headers: { accept: 'application/dns-json' } })
  const { Answer = [] } = reply.parse(answer.json())
  return Answer.filter(({ type }) => type === TXT).map(({ data }) => data.replaceAll('"', ''))
}
