import IconCalendar from '@douyinfe/semi-icons/lib/es/icons/IconCalendar'
import Input, { type InputProps } from '@douyinfe/semi-ui/lib/es/input'
import { type KeyboardEvent, useRef, useState } from 'react'
import { createChunk, loadChunk } from '#lib/bundle/chunk.ts'
import type { CalendarDays } from './calendar.tsx'
import './dates.css'

/* Text input of a day with its calendar button. Down opens the calendar too, which loads on first use. */

const calendarChunk = createChunk(() => import('./calendar.tsx'))

interface DayInputProps {
  readonly input: InputProps
  readonly calendar: CalendarDays
  readonly onEnter?: () => unknown
}

/** ARIA props of an input whose message has the id `${id}-error`. */
export const toErrorProps = (message: string | undefined, id: string) => ({
  'aria-invalid': message !== undefined,
  ...(message !== undefined && { 'aria-describedby': `${id}-error` }),
  validateStatus: message === undefined ? ('default' as const) : ('error' as const),
})

export function DayInput({ input, calendar, onEnter }: DayInputProps) {
  const field = useRef<HTMLSpanElement>(null)
  const opener = useRef<HTMLElement | null>(null)
  const [isOpen, setOpen] = useState(false)
  const open = async (from: HTMLElement) => {
    opener.current = from
    if (await loadChunk(calendarChunk.load)) setOpen(true)
  }
  const close = (returnsFocus: boolean) => {
    setOpen(false)
    if (returnsFocus) opener.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown') {
      event.preventDefault()
      void open(event.currentTarget)
    } else if (event.key === 'Enter') onEnter?.()
  }
  return (
    <span ref={field} className="nl-day">
      <Input
        {...input}
        autoComplete="off"
        onKeyDown={onKeyDown}
        suffix={
          <button
            type="button"
            className="nl-eye"
            aria-label="打开日历"
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            disabled={input.disabled}
            onMouseDown={(event) => event.preventDefault()} // else the press closes the calendar and the click opens it
            onClick={(event) => {
              event.stopPropagation() // else Semi's input takes the focus, and a phone shows its keyboard
              if (isOpen) close(true)
              else void open(event.currentTarget)
            }}
          >
            <IconCalendar />
          </button>
        }
      />
      {isOpen && (
        <OpenCalendar
          {...calendar}
          field={field}
          onClose={close}
          onPick={(range) => {
            calendar.onPick(range)
            close(true)
          }}
        />
      )}
    </span>
  )
}

function OpenCalendar(props: Parameters<Awaited<ReturnType<typeof calendarChunk.load>>['Calendar']>[0]) {
  const module = calendarChunk.useModule()
  return module && <module.Calendar {...props} />
}
