import { useCallback, useMemo, useRef, useState } from 'react'
import type { Affected } from '#domain/health/network.ts'
import { useStableJson } from '#lib/use-stable-json.ts'
import { isMatch } from '../plan/picker/member-plan.ts'
import type { Member, Projection } from '../live-network.ts'
import { toSections } from './layout/layout.ts'
import { type TopologyCell, toTopologyShape } from './layout/topology-types.ts'
import { createDrawingData, type DrawingData } from './drawing-data.ts'

/* Model shared by the topology drawing and the phone's grid of ports: shape, styles, search and open folds. */

export interface TopologyInput {
  readonly networkName: string
  readonly popName: string
  readonly projection: Pick<Projection, 'members' | 'links'>
  /** Members that the page counts as abnormal, which never fold, and members with a link to one centre only. */
  readonly affected: Affected
  readonly isStale: boolean
  /** Text of the page's search box: matches are highlighted, the rest is dimmed. */
  readonly search: string
  /** Filter of the page: members for which it is true are dimmed, with their lines. */
  readonly dimmed: ((member: Member) => boolean) | null
}

export type TopologyModel = ReturnType<typeof useTopologyModel>

export function useTopologyModel({
  projection,
  affected,
  popName,
  isStale,
  search,
  dimmed,
  isOrderHeld,
}: TopologyInput & { readonly isOrderHeld: boolean }) {
  const { members, links } = projection
  const first = useHeldValue(affected.abnormal, isOrderHeld)
  const shape = useStableJson(
    useMemo(
      () => toTopologyShape(members, links, popName, affected, first),
      [members, links, popName, affected, first],
    ),
  )
  const { centers, ordered } = useMemo(() => {
    const { centers, points, software } = toSections(shape)
    return { centers: centers.map(({ name }) => name), ordered: [...centers, ...points, ...software] }
  }, [shape])
  const painted: DrawingData = useMemo(
    () => createDrawingData({ members, links, centers, affected, isStale }),
    [members, links, centers, affected, isStale],
  )
  const { membersByName } = painted
  const found = useMemo(
    () =>
      findMembers(
        ordered.flatMap(({ name }) => membersByName.get(name) ?? []),
        search,
      ),
    [ordered, membersByName, search],
  )
  const matches = useMemo(() => new Set(found), [found])
  const faded = useMemo(
    () => new Set(dimmed === null ? [] : members.filter(dimmed).map(({ router_name }) => router_name)),
    [members, dimmed],
  )
  const isSearched = search.trim() !== ''
  const isFiltered = isSearched || dimmed !== null
  const emphasis = useMemo(() => {
    const isFaded = (name: string) => faded.has(name) || (isSearched && !matches.has(name))
    return {
      isDimmed: (cell: Pick<TopologyCell, 'members'>) => isFiltered && cell.members.every(isFaded),
      isFound: (cell: Pick<TopologyCell, 'members'>) => cell.members.some((name) => matches.has(name)),
    }
  }, [faded, matches, isSearched, isFiltered])
  return {
    shape,
    painted,
    find: useFind(found, search),
    ...emphasis,
    /** Text over the drawing when a filter dims all of it. */
    emptyText:
      dimmed === null || members.length === 0 || faded.size < members.length
        ? null
        : affected.abnormal.size === 0
          ? '没有异常'
          : '没有符合筛选条件的成员',
  }
}

export type Find = ReturnType<typeof useFind>

/** Names that a search finds, in the order of the drawing; none for an empty search. */
export function findMembers(ordered: readonly Member[], search: string): readonly string[] {
  if (search.trim() === '') return []
  return ordered.filter((member) => isMatch(member, search)).map(({ router_name }) => router_name)
}

/** Next or previous match, with wrap-around; the first without a current one. */
export function stepMatch(found: readonly string[], current: string | null, by: 1 | -1): string | null {
  const at = current === null ? -1 : found.indexOf(current)
  if (at === -1) return found.at(by === 1 ? 0 : -1) ?? null
  return found[(at + by + found.length) % found.length] ?? null
}

/** Walk through the matches of a search; a new search starts again. */
function useFind(found: readonly string[], search: string) {
  const [walk, setWalk] = useState<{ readonly search: string; readonly name: string | null }>({ search, name: null })
  const hit = walk.search === search && walk.name !== null && found.includes(walk.name) ? walk.name : null
  return {
    found,
    /** Current match; null before the first. */
    hit,
    step: (by: 1 | -1) => setWalk({ search, name: stepMatch(found, hit, by) }),
  }
}

/** The newest value, or while it is held the last one before. */
function useHeldValue<T>(value: T, isHeld: boolean): T {
  const [shown, setShown] = useState(value)
  if (!isHeld && shown !== value) setShown(value)
  return isHeld ? shown : value
}

/** Open nodes. `consumeToggled` returns once the node that was opened or closed last. */
export function useFolds() {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggled = useRef<string | null>(null)
  const toggle = (id: string) => {
    toggled.current = id
    setOpen((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]))
  }
  const consumeToggled = useCallback(() => {
    const id = toggled.current
    toggled.current = null
    return id
  }, [])
  return { open, toggle, consumeToggled }
}
