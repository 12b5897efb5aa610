import { CERTIFICATE } from '#contract/device/limits.ts'
import { HOUR_MS } from '#contract/kernel/time.ts'

/* Rule of certificates: signatures that a device with tunnels needs before its document is compiled. */

/** Newest certificate of a router by the authority of its account. */
interface RouterCertificate {
  /** Hash of the request that it answers. */
  readonly requestHash: string
  readonly isServer: 0 | 1
  readonly isGateway: 0 | 1
  readonly expiresAt: number
}

/** Tunnels that a router answers: none, point links, or those of any member, as centres and nodes do. */
export type ServedTunnels = 'none' | 'pair' | 'gateway'

/** Usages of a certificate beyond that of a client. A point that answers one link is no gateway for software members. */
export const usagesOf = (serves: ServedTunnels) => ({
  isServer: serves !== 'none',
  isGateway: serves === 'gateway',
})

/** Revocations of a network, and its signed list. */
export interface NetworkRevocations {
  readonly networkId: number
  /** Id of its newest revocation; null: none. */
  readonly newest: number | null
  /** Newest revocation in the signed list; null: there is no list by the present authority. */
  readonly signed: number | null
}

/** Refused request of a device. */
export interface RefusedRequest {
  readonly requestHash: string
  /** For the account. */
  readonly reason: string
  readonly at: number
}

export interface KeyFacts {
  readonly authority: { readonly expiresAt: number } | null
  readonly certificate: RouterCertificate | null
  /** Number of certificates that the router got within a day. */
  readonly issued: number
  /** Hash of the device's request; null: it has sent none. */
  readonly request: string | null
  readonly refusal: RefusedRequest | null
  readonly serves: ServedTunnels
  readonly networks: readonly NetworkRevocations[]
}

export interface DueSignatures {
  readonly authority: boolean
  readonly certificate: 'first' | 'request' | 'usage' | 'renewal' | null
  /** Ids of networks. */
  readonly lists: readonly number[]
}

export const dueSignatures = (facts: KeyFacts, now: number): DueSignatures => ({
  authority: facts.authority === null,
  certificate: isTooOften(facts, now) ? null : certificateDue(facts, now),
  lists: facts.networks.filter(isListDue).map(({ networkId }) => networkId),
})

export const isAnyDue = ({ authority, certificate, lists }: DueSignatures): boolean =>
  authority || certificate !== null || lists.length > 0

const TOO_OFTEN = '更换密钥过于频繁'

/** True while a device asks for more certificates than a day has, as two with one identity do by turns. */
const isTooOften = (facts: KeyFacts, now: number): boolean =>
  facts.issued >= CERTIFICATE.requestsPerDay && certificateDue(facts, now) !== null

/** Refusal of the present request without another check of it; null: it was not refused. */
export function standingRefusal(facts: KeyFacts, now: number): RefusedRequest | null {
  const { request, refusal } = facts
  if (request === null) return null
  if (!isTooOften(facts, now)) return refusal?.requestHash === request && refusal.reason !== TOO_OFTEN ? refusal : null
  return { requestHash: request, reason: TOO_OFTEN, at: refusal?.reason === TOO_OFTEN ? refusal.at : now }
}

function certificateDue(facts: KeyFacts, now: number): DueSignatures['certificate'] {
  const { certificate, request, refusal, serves } = facts
  if (request === null || (request === refusal?.requestHash && refusal.reason !== TOO_OFTEN)) return null
  if (certificate === null) return 'first'
  if (certificate.requestHash !== request) return 'request'
  if (lacksUsage(certificate, serves)) return 'usage'
  const renewAt = renewalAt(facts, now)
  return renewAt !== null && renewAt <= now ? 'renewal' : null
}

function lacksUsage(certificate: RouterCertificate, serves: ServedTunnels): boolean {
  const { isServer, isGateway } = usagesOf(serves)
  return (isServer && certificate.isServer === 0) || (isGateway && certificate.isGateway === 0)
}

/** Time at which the router is looked at again; null: no signature is to come. */
export function nextSignatureAt(facts: KeyFacts, now: number): number | null {
  if (isTooOften(facts, now)) return now + HOUR_MS
  const at = renewalAt(facts, now)
  return at !== null && at > now ? at : null
}

/** Time of the next renewal; null: none is to come, as in the last year of an authority. */
function renewalAt({ authority, certificate }: KeyFacts, now: number): number | null {
  if (authority === null || certificate === null) return null
  const renewAt = certificate.expiresAt - CERTIFICATE.renewMs
  const end = Math.min(Math.max(renewAt, now) + CERTIFICATE.validMs, authority.expiresAt)
  return end > certificate.expiresAt ? renewAt : null
}

const isListDue = ({ newest, signed }: NetworkRevocations): boolean => signed === null || (newest ?? 0) > signed
