import { PAGE_SIZE, PAGER_BUTTONS } from '#contract/kernel/limits.ts'

export function pageCount(rowCount: number, pageSize: number = PAGE_SIZE): number {
  return Math.max(1, Math.ceil(rowCount / pageSize))
}

/** The page numbers on the buttons: at most five, the current one as near the middle as the ends allow. */
export function pagerWindow(page: number, pages: number, buttons: number = PAGER_BUTTONS): readonly number[] {
  const shown = Math.min(buttons, pages)
  const current = Math.min(Math.max(page, 1), pages)
  const first = Math.min(Math.max(current - Math.floor(shown / 2), 1), pages - shown + 1)
  return Array.from({ length: shown }, (_, index) => first + index)
}
