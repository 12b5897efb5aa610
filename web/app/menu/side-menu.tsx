import { type FocusEvent, type ReactNode, useState, useEffect } from 'react'
import { Link, useLocation, useNavigation } from 'react-router'
import { useBrand } from '#lib/session/brand.ts'
import { useUser } from '#lib/session/session.ts'
import { type MenuEntry, type MenuGroup, type MenuGroupKey, soleEntry, activeEntry, menuFor } from './menu.ts'
import './side-menu.css'
import { useOpenGroup } from './sidebar-state.ts'
import { useSavedViews } from '#ui/table/views/saved-views.ts'
import { StrokeIcon } from '#ui/layout/buttons/decorative-icons.tsx'

/* Side menu of the console: groups of pages, with at most one group open. */

/** Folded it shows icons only; a group opens beside its icon on hover or focus. */
export function SideMenu({ isFolded = false }: { readonly isFolded?: boolean }) {
  const { groups, active, home, open, setOpen } = useMenuGroups()
  const [beside, setBeside] = useState<MenuGroupKey | null>(null)
  const leave = (event: FocusEvent<HTMLElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) setBeside(null)
  }
  return (
    <nav
      className="nl-menu"
      aria-label="主菜单"
      data-folded={isFolded}
      onKeyDown={(event) => event.key === 'Escape' && setBeside(null)}
    >
      <ul>
        {groups.map((group) => (
          <li
            key={group.key}
            data-active={group === home}
            {...(isFolded && {
              onPointerEnter: () => setBeside(group.key),
              onPointerLeave: () => setBeside(null),
              onBlur: leave,
            })}
          >
            <Group
              group={group}
              active={active}
              isBeside={isFolded}
              isOpen={(isFolded ? beside : open) === group.key}
              onToggle={() => {
                if (isFolded) setBeside(group.key) // the hover of the pressing pointer has opened it already
                else setOpen(open === group.key ? 'none' : group.key)
              }}
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
  /** The pages show beside the icon, under the name of the group. */
  readonly isBeside: boolean
  readonly onToggle: () => void
}

function Group({ group, active, isOpen, isBeside, onToggle }: GroupProps) {
  const { key, label, entries } = group
  const only = soleEntry(group)
  if (only !== undefined) {
    return (
      <Entry entry={only} isActive={only === active} className="nl-menu-head">
        <MenuIcon icon={key} />
        <span>{label}</span>
      </Entry>
    )
  }
  return (
    <>
      <button type="button" className="nl-menu-head" aria-expanded={isOpen} onClick={onToggle}>
        <MenuIcon icon={key} />
        <span>{label}</span>
        <StrokeIcon box={12} path="m3 4.5 3 3 3-3" />
      </button>
      {isOpen && (
        <ul aria-label={label}>
          {isBeside && (
            <li className="nl-menu-caption" aria-hidden="true">
              {label}
            </li>
          )}
          {entries.map((entry) => (
            <li key={entry.path}>
              <Entry
                entry={entry}
                isActive={entry === active}
                className={entry.view === null ? 'nl-menu-entry' : 'nl-menu-entry nl-menu-view'}
              >
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

function Entry({ entry: { path, newTab, view }, isActive, className, children }: EntryProps) {
  return (
    <Link
      to={path}
      className={className}
      aria-current={isActive ? 'page' : undefined}
      {...(newTab && { target: '_blank' })}
      {...(view !== null && { title: view.name })}
    >
      {children}
    </Link>
  )
}

/** Stroke paths in a viewBox of 20 × 20. */
const PATH: Readonly<Record<MenuGroupKey, string>> = {
  overview: 'M3 3h6v6H3zM11 3h6v4h-6zM11 9h6v8h-6zM3 11h6v6H3z',
  user: 'M10 10a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M3.5 17c.5-3.5 3-5 6.5-5s6 1.5 6.5 5',
  network:
    'M10 7V3.5M8 11.5 4.5 15M12 11.5l3.5 3.5M10 12a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M10 3.5h.1M4 15.5h.1M16 15.5h.1',
  saas: 'M5.5 15.5a3.7 3.7 0 0 1-.6-7.3A5.2 5.2 0 0 1 15 7.5a4 4 0 0 1-.5 8M10.5 9l-2 3.5h3l-2 3.5',
  member: 'M3 4h14v5H3zM3 11h14v5H3zM6 6.5h.1M6 13.5h.1M9 6.5h5M9 13.5h5',
  monitor: 'M3 11h3l2-6 4 10 2-4h3',
  audit: 'M5 3h7l3 3v11H5zM8 9h4M8 12h4',
  access: 'M10 2.5 16 5v4.5c0 4-2.5 6.5-6 8-3.5-1.5-6-4-6-8V5zM7.5 10l2 2 3-3.5',
  service:
    'M4 11.5V10a6 6 0 0 1 12 0v1.5M3.5 11h2.5v4H4.5a1 1 0 0 1-1-1zM16.5 11H14v4h1.5a1 1 0 0 0 1-1zM15 15c0 1.5-1.5 2-3.5 2',
}

function MenuIcon({ icon }: { readonly icon: MenuGroupKey }) {
  return <StrokeIcon path={PATH[icon]} />
}

/**
 * Groups of the menu, the entry of the page, and the open group: the page's own, unless the user has opened another. While
 * a navigation runs, its target counts as the page.
 */
function useMenuGroups() {
  const groups = menuFor(useUser(), useBrand().handbook, useSavedViews())
  const shown = useLocation()
  const target = useNavigation().location ?? shown
  const active = activeEntry(groups, target.pathname, target.search)
  const home = groups.find((group) => active !== undefined && group.entries.includes(active))
  const [open, setOpen] = useOpenGroup()
  const homeKey = home === undefined || soleEntry(home) !== undefined ? null : home.key
  useEffect(() => {
    if (homeKey !== null) setOpen(homeKey)
  }, [homeKey, setOpen])
  return { groups, active, home, open, setOpen }
}
