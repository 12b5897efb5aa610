import { type ReactNode, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useBrand } from '../../lib/brand.ts'
import { useUser } from '../../lib/session.ts'
import { activeEntry, menuFor, type MenuEntry, type MenuGroup } from '../menu.ts'
import { MenuIcon } from './menu-icon.tsx'
import './side-menu.css'
import { StrokeIcon } from '../../ui/stroke-icon.tsx'

interface SideMenuProps {
  /** Icons only; a group then opens beside its icon. */
  readonly isFolded?: boolean
}

export function SideMenu({ isFolded = false }: SideMenuProps) {
  const { pathname } = useLocation()
  const groups = menuFor(useUser(), useBrand().handbook)
  const active = activeEntry(groups, pathname)
  // Groups are open by default, so any page is one press away.
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const toggle = (key: string) => {
    const next = new Set(closed)
    if (!next.delete(key)) next.add(key)
    setClosed(next)
  }
  return (
    <nav className="nl-menu" aria-label="主菜单" data-folded={isFolded}>
      <ul>
        {groups.map((group) => (
          <li key={group.key} data-active={active !== undefined && group.entries.includes(active)}>
            <Group
              group={group}
              active={active}
              isOpen={isFolded || !closed.has(group.key)}
              onToggle={() => toggle(group.key)}
            />
          </li>
        ))}
      </ul>
    </nav>
  )
}

interface GroupProps {
  readonly group: MenuGroup
  readonly active: MenuEntry | undefined
  readonly isOpen: boolean
  readonly onToggle: () => void
}

function Group({ group: { key, label, entries }, active, isOpen, onToggle }: GroupProps) {
  const [only] = entries
  if (entries.length === 1 && only?.label === label) {
    return (
      <Entry entry={only} isActive={only === active} className="nl-menu-head">
        <MenuIcon icon={key} />
        <span>{label}</span>
      </Entry>
    )
  }
  return (
    <>
      <button type="button" className="nl-menu-head" aria-expanded={isOpen} title={label} onClick={onToggle}>
        <MenuIcon icon={key} />
        <span>{label}</span>
        <StrokeIcon box={12} path="m3 4.5 3 3 3-3" />
      </button>
      {isOpen && (
        <ul aria-label={label}>
          {entries.map((entry) => (
            <li key={entry.path}>
              <Entry entry={entry} isActive={entry === active} className="nl-menu-entry">
                {entry.label}
              </Entry>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

interface EntryProps {
  readonly entry: MenuEntry
  readonly isActive: boolean
  readonly className: string
  readonly children: ReactNode
}

function Entry({ entry: { path, label, newTab = false }, isActive, className, children }: EntryProps) {
  return (
    <Link
      to={path}
      className={className}
      title={label}
      aria-current={isActive ? 'page' : undefined}
      {...(newTab && { target: '_blank' })}
    >
      {children}
    </Link>
  )
}
