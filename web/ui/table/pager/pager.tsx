import IconChevronLeft from '@douyinfe/semi-icons/lib/es/icons/IconChevronLeft'
import IconChevronRight from '@douyinfe/semi-icons/lib/es/icons/IconChevronRight'
import IconDoubleChevronLeft from '@douyinfe/semi-icons/lib/es/icons/IconDoubleChevronLeft'
import IconDoubleChevronRight from '@douyinfe/semi-icons/lib/es/icons/IconDoubleChevronRight'
import { type ReactNode, type KeyboardEvent, useState } from 'react'
import { PAGE_SIZE, PAGE_SIZES, PAGER_BUTTONS } from '#contract/kernel/limits.ts'
import { wholeNumber } from '#contract/kernel/input/typed-text.ts'
import { countText } from '#lib/format/format-unit.ts'
import type { PageSize } from '../list-state.ts'
import { pageCount, pagerWindow } from './pager-window.ts'
import './pager.css'

/* Pager: five numbers (account 9), both ends and both neighbours; hidden if the smallest page holds every row. */

interface PagerProps {
  readonly page: number
  readonly rowCount: number
  /** There are more rows: the count is capped. */
  readonly isCapped?: boolean
  readonly onPage: (page: number) => void
  readonly pageSize?: PageSize
  /** Without it the size is fixed. */
  readonly onPageSize?: ((size: PageSize) => void) | undefined
}

/** Goes to a page by its number, at most to the last one. It has no form, because a table may stand in one. */
function PageJump({ pages, onPage }: { pages: number; onPage: (page: number) => void }) {
  const [text, setText] = useState('')
  const jump = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    const page = wholeNumber(text)
    setText('')
    if (typeof page === 'number' && page > 0) onPage(Math.min(page, pages))
  }
  return (
    <span className="nl-pager-jump">
      跳至
      <input
        aria-label={`跳至页码，共 ${pages} 页`}
        inputMode="numeric"
        enterKeyHint="go"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={jump}
      />
      页
    </span>
  )
}

export function Pager({ page, rowCount, isCapped = false, onPage, pageSize = PAGE_SIZE, onPageSize }: PagerProps) {
  const pages = pageCount(rowCount, pageSize)
  const isSingle = pages === 1 && page === 1
  const canChooseSize = onPageSize !== undefined && rowCount > PAGE_SIZE
  if (isSingle && !canChooseSize) return null
  const turn = (label: string, to: number, icon: ReactNode) => (
    <button type="button" aria-label={label} disabled={to < 1 || to > pages || to === page} onClick={() => onPage(to)}>
      {icon}
    </button>
  )
  return (
    <nav className="nl-flow nl-pager" aria-label="分页">
      <span className="nl-pager-total">
        共 {isCapped ? `${rowCount}+` : countText(rowCount)} 条{isSingle ? '' : `，第 ${page} / ${pages} 页`}
      </span>
      {!isSingle && (
        <span className="nl-pager-pages">
          {turn('第一页', 1, <IconDoubleChevronLeft size="small" />)}
          {turn('上一页', page - 1, <IconChevronLeft size="small" />)}
          {pagerWindow(page, pages).map((number) => (
            <button
              key={number}
              type="button"
              aria-label={`第 ${number} 页`}
              data-far={Math.abs(number - page) > 1}
              {...(number === page && { 'aria-current': 'page' as const })}
              onClick={() => onPage(number)}
            >
              {number}
            </button>
          ))}
          {turn('下一页', page + 1, <IconChevronRight size="small" />)}
          {turn('最后一页', pages, <IconDoubleChevronRight size="small" />)}
        </span>
      )}
      {pages > PAGER_BUTTONS && <PageJump pages={pages} onPage={onPage} />}
      {canChooseSize && (
        <select
          className="nl-pager-size"
          aria-label="每页条数"
          value={pageSize}
          onChange={(event) => onPageSize(Number(event.target.value) as PageSize)}
        >
          {PAGE_SIZES.map((size) => (
            <option key={size} value={size}>
              {size} 条/页
            </option>
          ))}
        </select>
      )}
    </nav>
  )
}
