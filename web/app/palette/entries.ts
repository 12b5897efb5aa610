import { type Grants, isAllowed } from '#contract/kernel/permissions.ts'
import type { PresenceState } from '#ui/state/status-badge.tsx'
import { paths } from '#lib/paths.ts'
import type { MenuGroup } from '#app/menu/menu.ts'
import { toAccess } from '#app/pages.ts'

/** A target of the command palette. */
export interface PaletteEntry {
  readonly key: string
  readonly label: string
  /** Group of the menu, serial number and the like: searched too. */
  readonly hint: string
  readonly to: string
  readonly newTab?: boolean
  readonly member?: { readonly state: PresenceState; readonly isOnDemand: boolean }
}

export interface PaletteSection {
  readonly label: string
  readonly entries: readonly PaletteEntry[]
}

/** Pages without an entry in the menu that need no object. */
const ACTIONS: readonly Pick<PaletteEntry, 'label' | 'hint' | 'to' | 'newTab'>[] = [
  { label: '创建组网', hint: '智能组网', to: paths.createNetwork },
  { label: '提交工单', hint: '售后服务', to: paths.createTicket },
  { label: '编辑资料', hint: '用户中心', to: paths.profile },
  { label: '下载客户端', hint: '', to: paths.download, newTab: true },
]

/** Pages of this user: the entries of the menu, and what else the role may open. */
export function pageEntries(groups: readonly MenuGroup[], grants: Grants): readonly PaletteEntry[] {
  const inMenu = groups.flatMap(({ label: hint, entries }) =>
    entries.map(({ path, label, newTab = false }) => ({
      key: path,
      label,
      hint: hint === label ? '' : hint,
      to: path,
      newTab,
    })),
  )
  return [
    ...inMenu,
    ...ACTIONS.filter(({ to }) => isAllowed(toAccess(to), grants)).map((page) => ({ key: page.to, ...page })),
  ]
}

/** Entries whose label or hint holds every word; those whose label begins with the text first. */
export function matchEntries(entries: readonly PaletteEntry[], text: string): readonly PaletteEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const found = entries.filter(({ label, hint }) => {
    const place = `${label} ${hint}`.toLowerCase()
    return words.every((word) => place.includes(word))
  })
  const rank = ({ label }: PaletteEntry) => {
    const lower = label.toLowerCase()
    return words.every((word) => lower.startsWith(word)) ? 0 : words.every((word) => lower.includes(word)) ? 1 : 2
  }
  return found.toSorted((a, b) => rank(a) - rank(b))
}

/** Place of the marked entry after an arrow key; it goes round at both ends. */
export function nextIndex(at: number, count: number, key: string): number {
  if (count === 0) return 0
  if (key === 'ArrowDown') return (at + 1) % count
  return key === 'ArrowUp' ? (at - 1 + count) % count : at
}
