import { type FocusEvent, type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { type MenuEntry, type MenuGroup, type MenuGroupKey, soleEntry } from './menu.ts'
import { MenuIcon } from './menu-icon.tsx'
import './side-menu.css'
import { StrokeIcon } from '#ui/layout/buttons/stroke-icon.tsx'
import { useMenuGroups } from './use-menu-groups.ts'

interface SideMenuProps {
  /** Icons only; a group then opens beside its icon, under the pointer or the focus. */
  readonly isFolded?: boolean
}

export function SideMenu({ isFolded = false }: SideMenuProps) {
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
                if (isFolded) setBeside(group.key) // the pointer that presses has opened it already
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
  /** The pages open beside the icon, under the name of the group. */
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

function Entry({ entry: { path, newTab = false }, isActive, className, children }: EntryProps) {
  return (
    <Link
      to={path}
      className={className}
      aria-current={isActive ? 'page' : undefined}
      {...(newTab && { target: '_blank' })}
    >
      {children}
    </Link>
  )
}
