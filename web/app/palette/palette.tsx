import IconSearch from '@douyinfe/semi-icons/lib/es/icons/IconSearch'
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { withLinkedName } from '#lib/linked-name.ts'
import { useBrand } from '#lib/session/brand.ts'
import { toGrants, useUser } from '#lib/session/session.ts'
import { Overlay } from '#ui/dialog/overlay.tsx'
import { StatusBadge } from '#ui/state/status-badge.tsx'
import { menuFor } from '#app/menu/menu.ts'
import {
  matchEntries,
  nextIndex,
  pageEntries,
  type PaletteEntry,
  type PaletteSection,
  useObjectSearch,
} from './entries.ts'
import './palette.css'

/* Command palette: finds and opens a page, network or member of this user (ARIA combobox with a list box). */

const WIDTH_PX = 640

export function Palette({ label, onClose }: { label: string; onClose: () => void }) {
  const [text, setText] = useState('')
  const [marked, setMarked] = useState(0)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  const { sections, isSearching, error } = useSections(text)
  const entries = sections.flatMap((section) => section.entries)
  const at = Math.min(marked, entries.length - 1)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [at, text])

  const type = (next: string) => {
    setText(next)
    setMarked(0)
  }
  const go = ({ to, label: name, newTab = false }: PaletteEntry, isElsewhere: boolean) => {
    onClose()
    if (newTab || isElsewhere) open(to, '_blank', 'noopener')
    else void navigate(to, { state: withLinkedName(name) })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const { key } = event
    if (key === 'Escape') onClose() // the layer ignores Escape in fields with an open list
    const entry = entries[at]
    if (key === 'Enter' && entry !== undefined) go(entry, event.ctrlKey || event.metaKey)
    if (key !== 'ArrowDown' && key !== 'ArrowUp') return
    event.preventDefault()
    setMarked(nextIndex(at, entries.length, key))
  }
  return (
    <Overlay kind="palette" title="搜索" onClose={onClose} widthPx={WIDTH_PX} closeOutside>
      <div className="nl-palette-field">
        <IconSearch />
        <input
          data-autofocus
          role="combobox"
          aria-label={label}
          aria-expanded="true"
          aria-controls={`${id}list`}
          aria-activedescendant={entries[at] === undefined ? undefined : `${id}${at}`}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder={label}
          value={text}
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <kbd className="nl-kbd">Esc</kbd>
      </div>
      <div ref={list} id={`${id}list`} className="nl-palette-list" role="listbox" aria-label="搜索结果">
        {sections.map((section) => (
          <Section
            key={section.label}
            section={section}
            first={entries.indexOf(section.entries[0] as PaletteEntry)}
            {...{ id, at, go }}
            onMark={setMarked}
          />
        ))}
      </div>
      <p className="nl-palette-state" role="status">
        {error !== undefined
          ? `搜索失败：${error.msg}`
          : isSearching
            ? '正在搜索…'
            : entries.length === 0
              ? '没有符合的页面、组网或成员'
              : `${entries.length} 个结果`}
        <span aria-hidden="true">↑↓ 选择　Enter 打开</span>
      </p>
    </Overlay>
  )
}

function useSections(text: string) {
  const user = useUser()
  const { handbook } = useBrand()
  const pages = useMemo(() => pageEntries(menuFor(user, handbook), toGrants(user)), [user, handbook])
  const found = useObjectSearch(text)
  const matching = matchEntries(pages, text)
  const sections: readonly PaletteSection[] = [
    ...(matching.length > 0 ? [{ label: '页面', entries: matching }] : []),
    ...found.sections,
  ]
  return { ...found, sections }
}

interface SectionProps {
  readonly section: PaletteSection
  /** Index of its first entry among the entries of all sections. */
  readonly first: number
  readonly id: string
  readonly at: number
  readonly onMark: (at: number) => void
  readonly go: (entry: PaletteEntry, isElsewhere: boolean) => void
}

function Section({ section: { label, entries }, first, id, at, onMark, go }: SectionProps) {
  const onClick = (entry: PaletteEntry) => (event: MouseEvent) => {
    event.preventDefault()
    go(entry, event.ctrlKey || event.metaKey)
  }
  return (
    <div role="group" aria-labelledby={`${id}${label}`}>
      <h3 id={`${id}${label}`} role="presentation">
        {label}
      </h3>
      {entries.map((entry, index) => (
        <Link
          key={entry.key}
          id={`${id}${first + index}`}
          to={entry.to}
          role="option"
          tabIndex={-1}
          aria-selected={first + index === at}
          onClick={onClick(entry)}
          onPointerMove={() => onMark(first + index)}
        >
          <span>{entry.label}</span>
          {entry.hint !== '' && <small>{entry.hint}</small>}
          {entry.member !== undefined && <StatusBadge {...entry.member} />}
        </Link>
      ))}
    </div>
  )
}
