import Month, { type MonthProps } from '@douyinfe/semi-ui/lib/es/datePicker/month'
import { cloneElement, type ReactElement } from 'react'

/* Grid of one month in the calendar, on the base of Semi. */

/** Semi reads its words from a locale; the calendar needs only these. */
const LOCALE = { weeks: { Sun: '日', Mon: '一', Tue: '二', Wed: '三', Thu: '四', Fri: '五', Sat: '六' } }

interface DayGridProps {
  /** `YYYY-MM`. */
  readonly month: string
  /** 2026年11月 */
  readonly label: string
  readonly today: string
  /** The one day of the calendar that takes the focus. */
  readonly active: string
  readonly marked: { readonly from: string; readonly to: string }
  readonly hover: string
  readonly isDisabled: (day: string) => boolean
  readonly onPick: (day: string) => void
  readonly onHover: (day: string) => void
  /** Called after each change of the cells. */
  readonly onDrawn: () => void
}

type Cell = Parameters<Month['renderDay']>[0]
interface GridProps extends MonthProps {
  readonly grid: DayGridProps
}

/** Semi's grid of one month, with names, a single tab stop and the today of Shanghai. */
class SemiMonth extends Month {
  declare readonly props: GridProps

  override componentDidMount() {
    super.componentDidMount()
    this.setState({ todayText: this.props.grid.today }) // Semi's today is in the browser's zone
  }

  override componentDidUpdate(...previous: Parameters<Month['componentDidUpdate']>) {
    super.componentDidUpdate(...previous)
    this.props.grid.onDrawn()
  }

  override renderDay(day: Cell, index: number) {
    const cell: ReactElement = super.renderDay(day, index)
    if (day.fullDate === '') return cell
    const { active, today, marked, label } = this.props.grid
    return cloneElement(cell, {
      tabIndex: day.fullDate === active ? 0 : -1,
      title: undefined,
      'aria-label': `${label}${day.dayNumber}日`,
      'aria-selected': day.fullDate === marked.from || day.fullDate === marked.to,
      'aria-current': day.fullDate === today ? 'date' : undefined,
    })
  }

  override render() {
    return cloneElement(super.render(), { 'aria-label': this.props.grid.label })
  }
}

/** Calendar day of a Date that Semi made of a day; both conversions use the local zone. */
const toDay = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part, i) => String(part).padStart(i === 0 ? 4 : 2, '0'))
    .join('-')

export function DayGrid(props: DayGridProps) {
  const { month, marked, hover, isDisabled, onPick, onHover } = props
  const [year = 0, number = 1] = month.split('-').map(Number)
  const semiProps = {
    month: new Date(year, number - 1, 1, 12),
    selected: new Set(marked.from === marked.to ? [marked.from] : []),
    rangeStart: marked.from === marked.to ? '' : marked.from,
    rangeEnd: marked.from === marked.to ? '' : marked.to,
    hoverDay: hover,
    locale: LOCALE,
    disabledDate: (date: Date) => isDisabled(toDay(date)),
    onDayClick: (day: Cell) => onPick(day.fullDate),
    onDayHover: (day?: Cell) => onHover(day?.fullDate ?? ''),
    grid: props,
  }
  return <SemiMonth key={month} {...(semiProps as unknown as GridProps)} />
}
