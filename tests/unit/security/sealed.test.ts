import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SealedTextError, type SealedPlace, openSealed, seal, sealUnlessEmpty } from '#security/sealed.ts'

const OLD = `old:${'1'.repeat(64)}`
const NEW = `new:${'2'.repeat(64)}`
const PLACE: SealedPlace = { table: 'directories', column: 'password', accountId: 7, row: 'a' }
const PLAIN = '机密-Passw0rd'

describe('a sealed text opens', () => {
  it('with the same key and place, whatever the text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (plain) => {
        expect(await openSealed(OLD, PLACE, await seal(OLD, PLACE, plain))).toBe(plain)
      }),
      { numRuns: 50 },
    )
  })
  it('is versioned, names its key, differs each time and does not contain the text', async () => {
    const texts = await Promise.all(Array.from({ length: 20 }, () => seal(OLD, PLACE, PLAIN)))
    expect(new Set(texts).size).toBe(20)
    for (const text of texts) {
      expect(text).toMatch(/^v1\.old\.[\w-]+$/)
      expect(Buffer.from(text.split('.')[2] ?? '', 'base64url').includes(Buffer.from(PLAIN))).toBe(false)
    }
  })
})

describe('a moved or changed sealed text does not open', () => {
  it.each<[string, Partial<SealedPlace>]>([
    ['account', { accountId: 8 }],
    ['column', { column: 'secret' }],
    ['table', { table: 'webhooks' }],
    ['row', { row: 'b' }],
  ])('another %s', async (_, over) => {
    const sealed = await seal(OLD, PLACE, PLAIN)
    await expect(openSealed(OLD, { ...PLACE, ...over }, sealed)).rejects.toBeInstanceOf(SealedTextError)
  })
  it('any flipped bit', async () => {
    const sealed = await seal(OLD, PLACE, PLAIN)
    const bytes = Buffer.from(sealed.split('.')[2] ?? '', 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      await expect(openSealed(OLD, PLACE, `v1.old.${changed.toString('base64url')}`)).rejects.toThrow(SealedTextError)
    }
  })
  it.each(['', 'v1', 'v1.old', 'v1.old.', 'v1.old.AAAA', 'v2.old.AAAA', 'plain text', 'v1.old.AAAA.BBBB'])(
    'malformed: "%s"',
    async (text) => {
      await expect(openSealed(OLD, PLACE, text)).rejects.toThrow(SealedTextError)
    },
  )
  it('a kid swapped for another of the same key', async () => {
    const both = `${OLD},twin:${'1'.repeat(64)}`
    const sealed = await seal(both, PLACE, PLAIN)
    await expect(openSealed(both, PLACE, sealed.replace('v1.old.', 'v1.twin.'))).rejects.toThrow(SealedTextError)
  })
  it('a second spelling of the same bytes', async () => {
    const sealed = await seal(OLD, PLACE, PLAIN)
    await expect(openSealed(OLD, PLACE, `${sealed}=`)).rejects.toThrow(SealedTextError)
  })
})

describe('rotation', () => {
  it('the first key seals, all open; a dropped key opens nothing', async () => {
    const before = await seal(OLD, PLACE, PLAIN)
    const after = await seal(`${NEW},${OLD}`, PLACE, PLAIN)
    expect(after).toMatch(/^v1\.new\./)
    expect(await openSealed(`${NEW},${OLD}`, PLACE, before)).toBe(PLAIN)
    expect(await openSealed(NEW, PLACE, after)).toBe(PLAIN)
    await expect(openSealed(NEW, PLACE, before)).rejects.toThrow(SealedTextError)
  })
  it('another key under the same kid opens nothing', async () => {
    const sealed = await seal(OLD, PLACE, PLAIN)
    await expect(openSealed(`old:${'3'.repeat(64)}`, PLACE, sealed)).rejects.toThrow(SealedTextError)
  })
})

describe('an edit', () => {
  it('left empty keeps the old one, anything else replaces it', async () => {
    expect(await sealUnlessEmpty(OLD, PLACE, '')).toBeUndefined()
    const sealed = await sealUnlessEmpty(OLD, PLACE, ' ')
    expect(await openSealed(OLD, PLACE, sealed ?? '')).toBe(' ')
  })
})

describe('errors', () => {
  const secret = 'f'.repeat(64)
  it('never quote the text, the sealed text or a key', async () => {
    const sealed = await seal(OLD, PLACE, PLAIN)
    const error = await openSealed(OLD, { ...PLACE, accountId: 8 }, sealed).catch((thrown: unknown) => thrown)
    const revealed = `${String(error)}${(error as Error).stack}${JSON.stringify(error)}`
    expect((error as Error).cause).toBeUndefined()
    for (const text of [PLAIN, sealed.split('.')[2] ?? '', '1'.repeat(64)]) expect(revealed).not.toContain(text)
  })
  it.each([
    ['empty', ''],
    ['short', 'k:abcd'],
    ['no kid', secret],
    ['twice', `k:${secret},k:${secret}`],
    ['not hex', `k:${'g'.repeat(64)}`],
  ])('a setting that is %s is refused without quoting it', async (_, setting) => {
    const error = await seal(setting, PLACE, PLAIN).catch((thrown: unknown) => thrown)
    expect(String(error)).toContain('SEAL_KEYS: kid:hex')
    expect(String(error)).not.toContain(secret)
  })
})
