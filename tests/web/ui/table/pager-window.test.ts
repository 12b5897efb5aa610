import { assert, integer, property } from 'fast-check'
import { expect, it } from 'vitest'
import { pageCount, pagerWindow } from '#ui/table/pager/pager-window.ts'

it.each([
  [1, 1, [1]],
  [1, 3, [1, 2, 3]],
  [1, 8, [1, 2, 3, 4, 5]],
  [4, 8, [2, 3, 4, 5, 6]],
  [7, 8, [4, 5, 6, 7, 8]],
  [99, 8, [4, 5, 6, 7, 8]],
])('page %i of %i', (page, pages, numbers) => expect(pagerWindow(page, pages)).toEqual(numbers))

it('always shows five neighbors, or all there are, with the current page among them', () => {
  assert(
    property(integer({ min: 1, max: 500 }), integer({ min: 1, max: 500 }), (page, pages) => {
      const numbers = pagerWindow(page, pages)
      expect(numbers.length).toBe(Math.min(5, pages))
      expect(numbers).toContain(Math.min(page, pages))
      expect(numbers[0]).toBeGreaterThanOrEqual(1)
      expect(numbers.at(-1)).toBeLessThanOrEqual(pages)
      expect(numbers.every((number, index) => index === 0 || number === numbers[index - 1]! + 1)).toBe(true)
    }),
  )
})

it('counts pages, and one where there is nothing', () => {
  expect([0, 1, 10, 11, 20].map((rows) => pageCount(rows))).toEqual([1, 1, 1, 2, 2])
})
