import Button from '@douyinfe/semi-ui/lib/es/button'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import './listbox.css'

/* Virtualized list for thousands of options, with selection and an action per row. */

const ROW_PX = 48
const SPARE_ROWS = 6
const HEIGHT_UNKNOWN_PX = 480 // before the first measurement

interface PickRow {
  readonly label: string
  /** Text under the label. */
  readonly second?: string
  /** State at the end of the row. */
  readonly aside?: ReactNode
}

interface ListboxProps<Option> {
  readonly label: string
  readonly options: readonly Option[]
  readonly optionKey: (option: Option) => string
  readonly toRow: (option: Option) => PickRow
  readonly selected: ReadonlySet<string>
  readonly onSelect: (selected: ReadonlySet<string>) => void
  /** Action on Enter, double click or the button of the row; without it a row can only be selected. */
  readonly act?: { readonly label: string; readonly icon: ReactNode; readonly run: (key: string) => void }
  readonly emptyText: string
  readonly heightPx: number
}

/**
 * Arrows move, Space selects, Enter acts, Ctrl+A selects all. Its ARIA role is grid, because options of a listbox may not
 * contain a button.
 */
export function Listbox<Option>(props: ListboxProps<Option>) {
  const { label, options, optionKey, toRow, selected, onSelect, act, emptyText, heightPx } = props
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const [active, setActive] = useState(0)
  const height = useHeight(box)
  const current = Math.min(active, options.length - 1)
  const first = Math.max(0, Math.floor(top / ROW_PX) - SPARE_ROWS)
  const last = Math.min(options.length, Math.ceil((top + height) / ROW_PX) + SPARE_ROWS)

  const toggle = (name: string) => {
    const next = new Set(selected)
    if (!next.delete(name)) next.add(name)
    onSelect(next)
  }
  const moveTo = (index: number) => {
    const to = Math.max(0, Math.min(options.length - 1, index))
    setActive(to)
    const element = box.current
    if (element === null) return
    if (to * ROW_PX < element.scrollTop) element.scrollTop = to * ROW_PX
    else if ((to + 1) * ROW_PX > element.scrollTop + height) element.scrollTop = (to + 1) * ROW_PX - height
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const option = options[current]
    const name = option === undefined ? undefined : optionKey(option)
    const to = indexAfter(event.key, current, options.length, Math.max(1, Math.floor(height / ROW_PX) - 1))
    if (to !== undefined) moveTo(to)
    else if (event.key === ' ' && name !== undefined) toggle(name)
    else if (event.key === 'Enter' && name !== undefined) act?.run(name)
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) onSelect(new Set(options.map(optionKey)))
    else return
    event.preventDefault()
  }

  return (
    <div
      ref={box}
      className="nl-listbox"
      style={{ height: heightPx }}
      role="grid"
      aria-label={label}
      aria-rowcount={options.length}
      aria-multiselectable
      aria-activedescendant={options.length > 0 ? `${id}-${current}` : undefined}
      tabIndex={0}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
    >
      {options.length === 0 && <EmptyRow text={emptyText} />}
      <div style={{ height: options.length * ROW_PX }} role="presentation">
        {options.slice(first, last).map((option, offset) => {
          const index = first + offset
          const key = optionKey(option)
          return (
            <OptionRow
              key={key}
              id={`${id}-${index}`}
              name={key}
              row={toRow(option)}
              index={index}
              isSelected={selected.has(key)}
              isActive={index === current}
              act={act}
              onPick={() => {
                setActive(index)
                toggle(key)
              }}
            />
          )
        })}
      </div>
    </div>
  )
}

function EmptyRow({ text }: { readonly text: string }) {
  return (
    <div role="row">
      <p role="gridcell" className="nl-pick-empty">
        {text}
      </p>
    </div>
  )
}

function indexAfter(key: string, index: number, count: number, page: number): number | undefined {
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + page,
    PageUp: index - page,
    Home: 0,
    End: count - 1,
  }
  return moves[key]
}

interface OptionRowProps {
  readonly id: string
  readonly name: string
  readonly row: PickRow
  readonly index: number
  readonly isSelected: boolean
  readonly isActive: boolean
  readonly act: ListboxProps<never>['act']
  readonly onPick: () => void
}

function OptionRow({ id, name, row, index, isSelected, isActive, act, onPick }: OptionRowProps) {
  return (
    <div
      id={id}
      role="row"
      aria-selected={isSelected}
      aria-rowindex={index + 1}
      className={`nl-pick-row ${isActive ? 'nl-pick-active' : ''}`}
      style={{ top: index * ROW_PX, height: ROW_PX }}
      onClick={onPick}
      onDoubleClick={() => act?.run(name)}
    >
      <span className="nl-pick-check" aria-hidden="true" />
      <span role="gridcell" className="nl-pick-text">
        <span className="nl-clip">{row.label}</span>
        <small className="nl-clip">{row.second}</small>
        <span className="nl-pick-state">{row.aside}</span>
      </span>
      {act !== undefined && (
        <span role="gridcell">
          <Button
            theme="borderless"
            size="small"
            icon={act.icon}
            tabIndex={-1}
            aria-label={`${act.label} ${row.label}`}
            title={act.label}
            onClick={(event) => {
              event.stopPropagation()
              act.run(name)
            }}
          />
        </span>
      )}
    </div>
  )
}

function useHeight(box: { readonly current: HTMLElement | null }): number {
  const [height, setHeight] = useState(HEIGHT_UNKNOWN_PX)
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const watch = new ResizeObserver(() => setHeight(element.clientHeight || HEIGHT_UNKNOWN_PX))
    watch.observe(element)
    return () => watch.disconnect()
  }, [box])
  return height
}
