import { describe, expect, it } from 'vitest'
import { CERTIFICATE } from '#contract/device/limits.ts'
import {
  type DueSignatures,
  type KeyFacts,
  dueSignatures,
  isAnyDue,
  nextSignatureAt,
  standingRefusal,
} from '#domain/router/certificate.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const DAY = 24 * 3_600_000
const NOW = 1_800_000_000_000
const END = NOW + 300 * DAY

const plain = (expiresAt: number) => ({ requestHash: 'a', isServer: 0, isGateway: 0, expiresAt }) as const
const server = { ...plain(END), isServer: 1 } as const
const gateway = { ...server, isGateway: 1 } as const

const FACTS: KeyFacts = {
  authority: { expiresAt: NOW + 3_000 * DAY },
  certificate: plain(END),
  issued: 1,
  request: 'a',
  refusal: null,
  serves: 'none',
  networks: [{ networkId: 7, newest: null, signed: 0 }],
}
const endingIn = (days: number): Partial<KeyFacts> => ({
  certificate: plain(NOW + days * DAY),
})
const refusal = { requestHash: 'b', reason: '内容损坏', at: 1 }
const tooOften = { requestHash: 'b', reason: '更换密钥过于频繁', at: 1 }
const network = (newest: number | null, signed: number | null) => ({
  networks: [{ networkId: 7, newest, signed }],
})
const NONE: DueSignatures = { authority: false, certificate: null, lists: [] }

type Row = readonly [what: string, facts: Partial<KeyFacts>, due: Partial<DueSignatures>]

const DUE: readonly Row[] = [
  ['nothing', {}, {}],
  ['an authority at the first need', { authority: null }, { authority: true }],
  ['a first certificate', { certificate: null, issued: 0 }, { certificate: 'first' }],
  ['none without a request', { certificate: null, request: null }, {}],
  ['none for the request that was refused', { certificate: null, request: 'b', refusal }, {}],
  ['one for another request', { request: 'b' }, { certificate: 'request' }],
  ['one for a request after a refused one', { request: 'c', refusal }, { certificate: 'request' }],
  ['none beyond the limit of a day', { request: 'b', issued: CERTIFICATE.requestsPerDay }, {}],
  ['one again on the next day', { request: 'b', issued: 7, refusal: tooOften }, { certificate: 'request' }],
  ['one as a server for the end that answers a point link', { serves: 'pair' }, { certificate: 'usage' }],
  ['none for an end that is a server already', { serves: 'pair', certificate: server }, {}],
  ['none for a former centre that answers a point link', { serves: 'pair', certificate: gateway }, {}],
  ['one with the mark for a new centre or node', { serves: 'gateway' }, { certificate: 'usage' }],
  ['one with the mark for a server without it', { serves: 'gateway', certificate: server }, { certificate: 'usage' }],
  ['none for a gateway that is one already', { serves: 'gateway', certificate: gateway }, {}],
  ['none for a former centre', { certificate: gateway }, {}],
  ['none for a former end of a point link', { certificate: server }, {}],
  ['none 61 days before its end', endingIn(61), {}],
  ['a renewal 60 days before its end', endingIn(60), { certificate: 'renewal' }],
  ['a renewal after its end', endingIn(-1), { certificate: 'renewal' }],
  ['none that would end no later', { ...endingIn(60), authority: { expiresAt: NOW + 60 * DAY } }, {}],
  ['a first list', network(null, null), { lists: [7] }],
  ['a list under another authority', network(3, null), { lists: [7] }],
  ['a list with a newer revocation', network(4, 3), { lists: [7] }],
  ['no list that is of today', network(4, 4), {}],
  ['no list because an expired revocation was swept', network(null, 4), {}],
]

describe('signatures that are due', () => {
  it('are', async () => {
    const offenders = await findOffenders(DUE)((_, facts, due) => {
      const found = dueSignatures({ ...FACTS, ...facts }, NOW)
      expect(found).toEqual({ ...NONE, ...due })
      expect(isAnyDue(found)).toBe(Object.keys(due).length > 0)
    })
    expect(offenders).toEqual([])
  })

  it('are looked at again at the renewal, or in an hour while the device asks too often', async () => {
    const offenders = await findOffenders([
      ['renewal', {}, END - 60 * DAY],
      ['no certificate', { certificate: null }, null],
      ['renewal that was refused', { ...endingIn(50), refusal: { ...refusal, requestHash: 'a' } }, null],
      ['end of the authority', { authority: { expiresAt: END } }, null],
      ['too often', { request: 'b', issued: 8 }, NOW + 3_600_000],
    ] as const)((_, facts, at) => {
      expect(nextSignatureAt({ ...FACTS, ...facts }, NOW)).toBe(at)
    })
    expect(offenders).toEqual([])
  })
})

describe('a refusal', () => {
  it('stands for the same request, with its time', async () => {
    const offenders = await findOffenders([
      ['none', {}, null],
      ['same request', { request: 'b', refusal }, refusal],
      ['another request', { request: 'c', refusal }, null],
      ['no request', { request: null, refusal }, null],
      ['too often', { request: 'b', issued: 8 }, { ...tooOften, at: NOW }],
      ['too often, still', { request: 'c', issued: 8, refusal: tooOften }, { ...tooOften, requestHash: 'c' }],
      ['no longer too often', { refusal: tooOften }, null],
    ] as const)((_, facts, expected) => {
      expect(standingRefusal({ ...FACTS, ...facts }, NOW)).toEqual(expected)
    })
    expect(offenders).toEqual([])
  })
})
