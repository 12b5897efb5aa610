import { memberLabel } from '#lib/format/member-label.ts'
import { paths } from '#lib/paths.ts'
import { useQuery } from '#lib/call/use-endpoint.ts'
import type { ApiError } from '#lib/call/transport.ts'
import { useDebounced } from '#ui/hooks/use-debounced.ts'
import type { PaletteEntry, PaletteSection } from './entries.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

const DEBOUNCE_MS = 200
const SHOWN = 5

interface ObjectSearch {
  readonly sections: readonly PaletteSection[]
  readonly isSearching: boolean
  readonly error: ApiError | undefined
}

/** Searches networks and members on the server, which knows what this role may see. An empty text asks nothing. */
export function useObjectSearch(text: string): ObjectSearch {
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

/** The first rows; where there are more, an entry that leads to the list with the same search. */
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
