import { type Grants, isAllowed } from '#contract/kernel/permissions.ts'
import type { PresenceState } from '#ui/state/status-badge.tsx'
import { paths } from '#lib/paths.ts'
import type { MenuGroup } from '#app/menu/menu.ts'
import { toAccess } from '#app/pages.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { useQuery } from '#lib/call/use-endpoint.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { useDebounced } from '#ui/hooks/use-delays.ts'

/* Entries of the command palette: pages, networks and members, and the search for them. */

export interface PaletteEntry {
  readonly key: string
  readonly label: string
  /** Second text, searched too: group of the menu, serial number and the like. */
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

export function pageEntries(groups: readonly MenuGroup[], grants: Grants): readonly PaletteEntry[] {
  const inMenu = groups.flatMap(({ label: hint, entries }) =>
    entries.map(({ path, label, newTab }) => ({
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

/** Entries with every word in label or hint; entries whose label begins with the text come first. */
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

/** Index of the marked entry after an arrow key; it wraps at both ends. */
export function nextIndex(at: number, count: number, key: string): number {
  if (count === 0) return 0
  if (key === 'ArrowDown') return (at + 1) % count
  return key === 'ArrowUp' ? (at - 1 + count) % count : at
}

const DEBOUNCE_MS = 200
const SHOWN = 5

/** Searches networks and members on the server, which knows the rights of this role. An empty text asks nothing. */
export function useObjectSearch(text: string) {
  const search = useDebounced(text.trim(), DEBOUNCE_MS)
  const isAsked = search !== ''
  const { hardware, software } = ROUTER_TYPE
  const networks = useQuery(networkApi.lists, isAsked ? { page: 1, search } : null)
  const routers = useQuery(routerApi.lists, isAsked ? { page: 1, search, type: hardware } : null)
  const clients = useQuery(routerApi.lists, isAsked ? { page: 1, search, type: software } : null)
  const all = [networks, routers, clients]

  const sections = [
    section('组网', networks.data?.count, paths.networks({ search }), networks.data?.data, (row) => ({
      key: row.network_number,
      label: row.network_name,
      hint: `${row.network_number} · ${row.member_count} 个成员`,
      to: paths.network(row.network_number),
    })),
    section('硬件成员', routers.data?.count, paths.routers({ search }), routers.data?.data, (row) => ({
      key: row.router_name,
      label: memberLabel(row),
      hint: row.note === '' ? '' : row.router_name,
      to: paths.router(row.router_name),
      member: { state: row.presence.state, isOnDemand: false },
    })),
    section('软件成员', clients.data?.count, paths.routers({ type: software, search }), clients.data?.data, (row) => ({
      key: row.router_name,
      label: memberLabel(row),
      hint: row.note === '' ? '' : row.router_name,
      to: paths.routers({ type: software, search: row.router_name }),
      member: { state: row.presence.state, isOnDemand: true },
    })),
  ]
  return {
    sections: isAsked ? sections.filter(({ entries }) => entries.length > 0) : [],
    isSearching: text.trim() !== search || all.some(({ isLoading }) => isLoading),
    error: all.find(({ error }) => error !== undefined)?.error,
  }
}

/** The first rows, and an entry for the searched list if there are more. */
function section<Row>(
  label: string,
  count = 0,
  listPath: string,
  rows: readonly Row[] = [],
  toEntry: (row: Row) => PaletteEntry,
): PaletteSection {
  const entries = rows.slice(0, SHOWN).map(toEntry)
  if (count <= SHOWN) return { label, entries }
  return { label, entries: [...entries, { key: listPath, label: `全部 ${count} 个${label}`, hint: '', to: listPath }] }
}
