import { PAGE_SIZE, PAGER_BUTTONS } from '#contract/kernel/limits.ts'

/* Number of pages, and the page numbers that a pager shows. */

export function pageCount(rowCount: number, pageSize: number = PAGE_SIZE): number {
  return Math.max(1, Math.ceil(rowCount / pageSize))
}

/** Page numbers on the buttons: at most five, with the current one as near the middle as possible. */
export function pagerWindow(page: number, pages: number, buttons: number = PAGER_BUTTONS): readonly number[] {
  const shown = Math.min(buttons, pages)
  const current = Math.min(Math.max(page, 1), pages)
  const first = Math.min(Math.max(current - Math.floor(shown / 2), 1), pages - shown + 1)
  return Array.from({ length: shown }, (_, index) => first + index)
}
