import { useEffect } from 'react'
import { useLocation, useNavigation } from 'react-router'
import { useBrand } from '#lib/session/brand.ts'
import { useUser } from '#lib/session/session.ts'
import { activeEntry, menuFor, soleEntry } from './menu.ts'
import { useOpenGroup } from './sidebar-state.ts'

/**
 * Groups of the menu, the entry of the page, and the one group that is open: that of the page, unless the user has
 * opened another. While a navigation runs, its target counts as the page.
 */
export function useMenuGroups() {
  const groups = menuFor(useUser(), useBrand().handbook)
  const { pathname } = useLocation()
  const target = useNavigation().location?.pathname ?? pathname
  const active = activeEntry(groups, target)
  const home = groups.find((group) => active !== undefined && group.entries.includes(active))
  const [open, setOpen] = useOpenGroup()
  const homeKey = home === undefined || soleEntry(home) !== undefined ? null : home.key
  useEffect(() => {
    if (homeKey !== null) setOpen(homeKey)
  }, [homeKey, setOpen])
  return { groups, active, home, open, setOpen }
}
