import IconSearch from '@douyinfe/semi-icons/lib/es/icons/IconSearch'
import Button from '@douyinfe/semi-ui/lib/es/button'
import Input from '@douyinfe/semi-ui/lib/es/input'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { SEARCH_TOO_LONG } from '#contract/kernel/fields.ts'
import { SEARCH_MAX } from '#contract/kernel/limits.ts'
import { plainText } from '#contract/kernel/input/typed-text.ts'
import { toast } from '#lib/toast/toast.ts'
import './filter-bar.css'
import { Segmented, type SegmentedOption } from '#ui/form/segmented.tsx'
import type { ListState } from './use-list-state.ts'

/* Filter bar of a list: search box, filter switches, actions. */

const DEBOUNCE_MS = 300

interface FilterBarProps {
  readonly list: Pick<ListState, 'search' | 'setSearch' | 'isNarrowed' | 'clear'>
  /** Label of the search box, such as 搜索名称或编号. Without it there is no search box. */
  readonly searchLabel?: string
  readonly children?: ReactNode
  readonly actions?: ReactNode
}

export function FilterBar({ list, searchLabel, children, actions }: FilterBarProps) {
  return (
    <div className="nl-flow nl-filters" role="search">
      {searchLabel !== undefined && <SearchBox label={searchLabel} value={list.search} onChange={list.setSearch} />}
      {children}
      {list.isNarrowed && (
        <Button theme="borderless" onClick={list.clear}>
          清除筛选
        </Button>
      )}
      {actions !== undefined && <span className="nl-flow nl-filters-actions">{actions}</span>}
    </div>
  )
}

interface FilterSwitchProps<F extends string> {
  readonly list: Pick<ListState<F>, 'filters' | 'setFilter'>
  /** Name of the filter in the address. */
  readonly name: F
  readonly label: string
  /** The first option is also used for unknown values in the address. */
  readonly options: readonly SegmentedOption[]
}

export function FilterSwitch<F extends string>({ list, name, label, options }: FilterSwitchProps<F>) {
  const known = options.find(({ value }) => value === list.filters[name]) ?? options[0]
  return (
    <Segmented
      label={label}
      value={known?.value ?? ''}
      options={options}
      onChange={(value) => list.setFilter(name, value)}
    />
  )
}

interface SearchBoxProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** Goes to the next match on a further Enter, with Shift (-1) to the previous one. */
  readonly onStep?: ((by: 1 | -1) => void) | undefined
}

/**
 * Debounced search: runs 300 ms after the last key, or at once on Enter. Unfinished IME composition is not searched, and a
 * late answer does not overwrite newer typing.
 */
export function SearchBox({ label, value, onChange, onStep }: SearchBoxProps) {
  const [text, setText] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const composing = useRef(false)
  const sent = useRef(value)
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    clearTimeout(timer.current)
    setText(value)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])

  const search = (next: string, delayMs: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      const cleaned = plainText(next)
      if (cleaned.length > SEARCH_MAX) return void toast.error(SEARCH_TOO_LONG)
      sent.current = cleaned
      onChange(cleaned)
    }, delayMs)
  }
  return (
    <Input
      className="nl-search"
      prefix={<IconSearch />}
      aria-label={label}
      placeholder={label}
      inputMode="search"
      enterKeyHint="search"
      value={text}
      showClear
      onChange={(next) => {
        setText(next)
        if (!composing.current) search(next, next === '' ? 0 : DEBOUNCE_MS)
      }}
      onCompositionStart={() => (composing.current = true)}
      onCompositionEnd={(event) => {
        composing.current = false
        search(event.currentTarget.value, DEBOUNCE_MS)
      }}
      onEnterPress={(event) => {
        event.preventDefault() // else a form around the list is submitted
        if (composing.current) return
        if (onStep !== undefined && plainText(text) === value) onStep(event.shiftKey ? -1 : 1)
        else search(text, 0)
      }}
    />
  )
}
