import { useMemo, useState } from 'react'
import { STATUS_POLL_MS } from '#contract/kernel/limits.ts'
import { PRESENCE_STATES } from '#contract/kernel/protocol.ts'
import { EXCEPT_MAX, ROUTER_TYPE } from '#contract/router/limits.ts'
import { usePresenceRefresh } from '#lib/live/use-presence-refresh.ts'
import { type Candidates, isMissing, useCandidates, useChoices } from '#pages/network/api.ts'
import type { NetworkInfo } from '#pages/network/live-network.ts'
import { useLocalListState } from '#ui/table/use-list-state.ts'
import { type MemberOption, UNKNOWN_MEMBER } from './member-plan.ts'

/* Members that the table of choices knows: a page from the server, the chosen ones, and those in networks with them. */

export const toOptions = ({ router, app }: Candidates): readonly MemberOption[] => [
  ...router.map((candidate) => ({ ...candidate, routerType: ROUTER_TYPE.hardware })),
  ...app.map((candidate) => ({ ...candidate, routerType: ROUTER_TYPE.software })),
]

const FILTERS = { kind: '', part: '', state: '' }
const KINDS = ['', 'hardware', 'software'] as const
/** Part of the members that are not chosen (未选). */
export const FREE = 'free'
/** The browser holds the chosen and the overlapping members; of the others the server sends a page. */
export const isHeldByBrowser = (part: string): boolean => part !== '' && part !== FREE

export type PickerList = ReturnType<typeof usePickerList>
const usePickerList = () => useLocalListState(FILTERS)

/** Search of the list as the server takes it; an unknown filter lets everything pass. */
const toView = (
  { search, filters }: PickerList,
  networkNumber: string,
  isAddOnly: boolean,
  except: readonly string[],
) => ({
  search,
  kind: KINDS.find((kind) => kind === filters.kind) ?? ('' as const),
  state: PRESENCE_STATES.find((state) => state === filters.state) ?? ('' as const),
  network_number: networkNumber,
  outside: isAddOnly || isFree(filters.part) ? 1 : 0,
  ...(isFree(filters.part) && except.length > 0 && { except: except.slice(-EXCEPT_MAX) }),
})

const isFree = (part: string): boolean => part === FREE

/** Chosen names when the filter was set: a choice moves no row of it, and pages stay whole. */
function useHeldNames({ search, filters }: PickerList, names: readonly string[]): readonly string[] {
  const key = JSON.stringify([search, filters])
  const [held, setHeld] = useState({ key, names })
  if (held.key !== key) setHeld({ key, names })
  return held.key === key ? held.names : names
}

export type PickerMembers = ReturnType<typeof usePickerMembers>

interface PickerInput {
  /** Network whose members are chosen; null if it is new. */
  readonly network: NetworkInfo | null
  readonly inside: Candidates | undefined
  /** Names of chosen members that are not in the network. */
  readonly added: readonly string[]
  /** Members of the network are not offered. */
  readonly isAddOnly?: boolean
}

export function usePickerMembers({ network, inside, added, isAddOnly = false }: PickerInput) {
  const list = usePickerList()
  const networkNumber = network?.network_number ?? ''
  const isLocal = isHeldByBrowser(list.filters.part)
  const view = toView(list, networkNumber, isAddOnly, useHeldNames(list, added))
  const page = useCandidates(isLocal ? null : { ...view, page: list.page, limit: list.limit })
  const names = useChoices([...added].toSorted(), [])
  const [shown, chosen] = [page.data?.data, names.data?.data]
  const own = useMemo(() => toOwn(network, inside, chosen), [network, inside, chosen])
  const others = useMemo(() => otherNetworks(own, networkNumber), [own, networkNumber])
  const fellows = useChoices([], others).data?.data
  const isStale =
    usePresenceRefresh({ everyMs: STATUS_POLL_MS, read: () => (isLocal ? names.mutate() : page.mutate()) }) === 'down'
  const known = useMemo(() => {
    const read = [fellows, chosen, shown].flatMap((reply) => (reply === undefined ? [] : toOptions(reply)))
    return new Map([...own, ...read].map((option) => [option.router_name, option]))
  }, [own, fellows, chosen, shown])
  return {
    list,
    view,
    page,
    known: known as ReadonlyMap<string, MemberOption>,
    /** Chosen names that have been deleted meanwhile. */
    gone: isMissing(names.error) ? added : (chosen?.unknown ?? NOBODY),
    isStale,
    isAddOnly,
  }
}

const NOBODY: readonly string[] = []

/** Members of the network and chosen ones. Until they are read, the network's own rows stand for its members. */
function toOwn(network: NetworkInfo | null, ...replies: readonly (Candidates | undefined)[]): readonly MemberOption[] {
  const rows = (network?.member ?? []).map(
    ({ router_name, note, router_type: routerType, presence }): MemberOption => ({
      ...UNKNOWN_MEMBER,
      router_name,
      note,
      routerType,
      presence,
    }),
  )
  return [...rows, ...replies.flatMap((reply) => (reply === undefined ? [] : toOptions(reply)))]
}

/** Networks that share a member with the plan: the segments in them count, too. */
const otherNetworks = (own: readonly MemberOption[], networkNumber: string): readonly string[] =>
  [...new Set(own.flatMap(({ networks }) => networks.map(({ network_number }) => network_number)))]
    .filter((number) => number !== networkNumber)
    .toSorted()
