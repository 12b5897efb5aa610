import IconChevronLeft from '@douyinfe/semi-icons/lib/es/icons/IconChevronLeft'
import IconChevronRight from '@douyinfe/semi-icons/lib/es/icons/IconChevronRight'
import IconDoubleChevronLeft from '@douyinfe/semi-icons/lib/es/icons/IconDoubleChevronLeft'
import IconDoubleChevronRight from '@douyinfe/semi-icons/lib/es/icons/IconDoubleChevronRight'
import Button from '@douyinfe/semi-ui/lib/es/button'
import { type KeyboardEvent, type ReactNode, type RefObject, useRef, useState } from 'react'
import { type DayRange, dateText } from '#lib/format/format-time.ts'
import { Popup } from '#ui/dialog/popup.tsx'
import { useMedia } from '#ui/hooks/use-media.ts'
import {
  addMonths,
  clampDay,
  dayAfterKey,
  type DayBounds,
  monthOf,
  monthsBetween,
  moveMonths,
} from './calendar-days.ts'
import './calendar.css'
import { DayGrid } from './day-grid.tsx'

/* Calendar under its field, for one day or both ends of a range. All days are those of Asia/Shanghai. */

const TWO_MONTHS = '(min-width: 720px)'

export interface CalendarDays extends DayBounds {
  readonly label: string
  /** Marked days; for a single day both ends are equal. */
  readonly value: DayRange | null
  /** Picks a day, or a range that begins with this end. */
  readonly picks: 'day' | keyof DayRange
  readonly onPick: (range: DayRange) => void
}

interface CalendarProps extends CalendarDays {
  readonly field: RefObject<HTMLElement>
  readonly onClose: (returnsFocus: boolean) => void
}

export function Calendar(props: CalendarProps) {
  const { label, field, picks, onClose, min, max } = props
  const { start, active, hover, marked, months, move, turn, pick, setHover } = useDays(props)
  const [today] = useState(() => dateText(Date.now()))
  const days = useRef<HTMLDivElement>(null)
  const movesFocus = useRef(true)
  const focusActive = () => {
    const cell = movesFocus.current && days.current?.querySelector<HTMLElement>('[role="gridcell"][tabindex="0"]')
    if (!cell) return
    movesFocus.current = false
    cell.focus({ preventScroll: true })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target instanceof Element) || event.target.getAttribute('role') !== 'gridcell') return
    const day = dayAfterKey(active, event.key, event.shiftKey, { min, max })
    if (day !== null) {
      movesFocus.current = true
      move(day)
    } else if (event.key === 'Enter' || event.key === ' ') pick(active)
    else return
    event.preventDefault()
  }
  return (
    <Popup label={`选择${label}`} field={field} onClose={onClose}>
      {picks !== 'day' && (
        <p className="nl-calendar-hint" role="status">
          {start === null ? '请选择开始日期' : '请选择结束日期'}
        </p>
      )}
      <div ref={days} className="nl-calendar" onKeyDown={onKeyDown}>
        {months.map((month, i) => (
          <section key={i}>
            <header>
              {i === 0 && <TurnButtons side={-1} left={monthsBetween(monthOf(min), month)} onTurn={turn} />}
              <h3 aria-live="polite">{toTitle(month)}</h3>
              {i === months.length - 1 && (
                <TurnButtons side={1} left={monthsBetween(month, monthOf(max))} onTurn={turn} />
              )}
            </header>
            <DayGrid
              {...{ month, today, active, marked, hover }}
              label={toTitle(month)}
              isDisabled={(day) => day < min || day > max}
              onPick={pick}
              onHover={setHover}
              onDrawn={focusActive}
            />
          </section>
        ))}
      </div>
    </Popup>
  )
}

/** Shown months, focused day and, for a range, the end that is already set. */
function useDays({ value, picks, min, max, onPick }: CalendarProps) {
  const bounds = { min, max }
  const shown = useMedia(TWO_MONTHS) && picks !== 'day' ? 2 : 1
  const [start, setStart] = useState(picks === 'to' ? (value?.from ?? null) : null)
  const [active, setActive] = useState(() =>
    clampDay(value?.[picks === 'to' ? 'to' : 'from'] ?? dateText(Date.now()), bounds),
  )
  const [first, setFirst] = useState(() => firstMonth(active, value, shown))
  const [hover, setHover] = useState('')
  const move = (day: string) => {
    setActive(day)
    if (monthOf(day) < first) setFirst(monthOf(day))
    else if (monthsBetween(first, monthOf(day)) >= shown) setFirst(addMonths(monthOf(day), 1 - shown))
  }
  const turn = (count: number) => {
    setFirst(addMonths(first, count))
    setActive(clampDay(moveMonths(active, count), bounds))
  }
  const pick = (day: string) => {
    if (picks === 'day') return onPick({ from: day, to: day })
    if (start !== null) return onPick(orderDays(start, day))
    setStart(day)
    move(day)
  }
  const marked = start === null ? (value ?? { from: '', to: '' }) : orderDays(start, hover || active)
  const months = Array.from({ length: shown }, (_, i) => addMonths(first, i))
  return { start, active, hover, marked, months, move, turn, pick, setHover }
}

const orderDays = (one: string, other: string): DayRange =>
  one <= other ? { from: one, to: other } : { from: other, to: one }

/** Of two months the later one holds the day, unless the range continues in the next month. */
function firstMonth(day: string, value: DayRange | null, shown: number): string {
  const goesOn = value !== null && monthOf(value.to) > monthOf(day)
  return shown === 1 || goesOn ? monthOf(day) : addMonths(monthOf(day), -1)
}

const toTitle = (month: string): string => `${Number(month.slice(0, 4))}年${Number(month.slice(5))}月`

function TurnButtons({ side, left, onTurn }: { side: -1 | 1; left: number; onTurn: (months: number) => void }) {
  const button = (months: number, label: string, icon: ReactNode) => (
    <Button
      theme="borderless"
      type="tertiary"
      icon={icon}
      aria-label={label}
      disabled={left < months}
      onClick={() => onTurn(side * months)}
    />
  )
  return side === -1 ? (
    <span>
      {button(12, '上一年', <IconDoubleChevronLeft />)}
      {button(1, '上个月', <IconChevronLeft />)}
    </span>
  ) : (
    <span>
      {button(1, '下个月', <IconChevronRight />)}
      {button(12, '下一年', <IconDoubleChevronRight />)}
    </span>
  )
}
