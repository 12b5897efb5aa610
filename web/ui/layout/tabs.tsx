import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import './tabs.css'

/* Tabs with arrow-key navigation (ARIA tabs pattern). */

interface TabsProps<V extends string> {
  readonly label: string
  readonly value: V
  readonly options: readonly { readonly value: V; readonly label: string }[]
  readonly onChange: (value: V) => void
  readonly children: ReactNode
}

export function Tabs<V extends string>({ label, value, options, onChange, children }: TabsProps<V>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  useFocusOfChosen(list, value)
  const tabId = (option: V) => `${id}${option}`
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0) return
    const at = options.findIndex((option) => option.value === value)
    const to = (at + by + options.length) % options.length
    const next = options[to]
    if (next === undefined) return
    onChange(next.value)
    event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[to]?.focus()
  }
  return (
    <>
      <div ref={list} className="nl-tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {options.map((option) => (
          <button
            key={option.value}
            id={tabId(option.value)}
            type="button"
            role="tab"
            aria-selected={option.value === value}
            aria-controls={`${id}panel`}
            tabIndex={option.value === value ? 0 : -1}
            onClick={() => onChange(option.value)}
          >
            {option.label}
          </button>
        ))}
      </div>
      <div id={`${id}panel`} role="tabpanel" aria-labelledby={tabId(value)} className="nl-tab-panel">
        {children}
      </div>
    </>
  )
}

/** A button of the content that chooses another tab is gone by then; its focus passes to the chosen tab. */
function useFocusOfChosen(list: { readonly current: HTMLElement | null }, value: string): void {
  const shown = useRef(value)
  useEffect(() => {
    if (shown.current === value) return
    shown.current = value
    if (document.activeElement !== document.body) return
    list.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus()
  }, [list, value])
}
