import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isBookmark, isD1Bookmark, newestBookmark, toWriteBookmark, writtenAt } from '#contract/kernel/bookmark.ts'

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length })
const ofD1 = fc.tuple(hex(8), hex(8), hex(8), hex(32)).map((groups) => groups.join('-'))
const ofLibsql = fc.integer({ min: 0, max: 9_999_999_999_999 }).map(toWriteBookmark)

it('a bookmark is recognised by its form alone', () => {
  fc.assert(fc.property(ofD1, (text) => isD1Bookmark(text) && isBookmark(text) && writtenAt(text) === null))
  fc.assert(fc.property(ofLibsql, (text) => isBookmark(text) && !isD1Bookmark(text) && writtenAt(text) !== null))
  for (const other of [
    '',
    'first-primary',
    'first-unconstrained',
    'w1',
    'w18000000000000',
    'W1800000000000',
    '0-0-0-0',
  ])
    expect(isBookmark(other)).toBe(false)
})

it('of two bookmarks the newer one is kept, in either order', () => {
  fc.assert(fc.property(ofD1, ofD1, (a, b) => newestBookmark(a, b) === newestBookmark(b, a)))
  fc.assert(
    fc.property(
      fc.nat(),
      fc.nat(),
      (a, b) => newestBookmark(toWriteBookmark(a), toWriteBookmark(b)) === toWriteBookmark(Math.max(a, b)),
    ),
  )
  const first = '00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683'
  const later = '00000085-00000250-00004c6d-00000000000000000000000000000000'
  expect(newestBookmark(first, later)).toBe(later)
  expect(newestBookmark(undefined, first)).toBe(first)
})
