import IconChevronLeft from '@douyinfe/semi-icons/lib/es/icons/IconChevronLeft'
import IconChevronRight from '@douyinfe/semi-icons/lib/es/icons/IconChevronRight'
import { countText } from '../lib/format-unit.ts'
import { pageCount, pagerWindow } from './pager-window.ts'
import './pager.css'

interface PagerProps {
  readonly page: number
  readonly rowCount: number
  readonly onPage: (page: number) => void
}

/** Five numbers and the two neighbours; gone when there is a single page (account 9). */
export function Pager({ page, rowCount, onPage }: PagerProps) {
  const pages = pageCount(rowCount)
  if (pages === 1 && page === 1) return null
  const numbers = pagerWindow(page, pages)
  return (
    <nav className="nl-pager" aria-label="分页">
      <span className="nl-pager-total">
        共 {countText(rowCount)} 条，第 {page} / {pages} 页
      </span>
      <button type="button" aria-label="上一页" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <IconChevronLeft size="small" />
      </button>
      {numbers.map((number) => (
        <button
          key={number}
          type="button"
          aria-label={`第 ${number} 页`}
          {...(number === page && { 'aria-current': 'page' as const })}
          onClick={() => onPage(number)}
        >
          {number}
        </button>
      ))}
      <button type="button" aria-label="下一页" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        <IconChevronRight size="small" />
      </button>
    </nav>
  )
}
