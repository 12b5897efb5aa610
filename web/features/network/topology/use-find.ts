import { useState } from 'react'
import { isMatch } from '../plan/picker/picker.ts'
import type { Member } from '../projection.ts'

export interface Find {
  readonly found: readonly string[]
  /** Current match; null before the first. */
  readonly hit: string | null
  readonly step: (by: 1 | -1) => void
}

/** Names that a search finds, in the order of the drawing; none while it is empty. */
export function findMembers(ordered: readonly Member[], search: string): readonly string[] {
  if (search.trim() === '') return []
  return ordered.filter((member) => isMatch(member, search)).map(({ router_name }) => router_name)
}

/** The next or previous match, round the end; the first from none. */
export function stepMatch(found: readonly string[], current: string | null, by: 1 | -1): string | null {
  const at = current === null ? -1 : found.indexOf(current)
  if (at === -1) return found.at(by === 1 ? 0 : -1) ?? null
  return found[(at + by + found.length) % found.length] ?? null
}

/** A walk through the matches of a search; another search begins anew. */
export function useFind(found: readonly string[], search: string): Find {
  const [walk, setWalk] = useState<{ readonly search: string; readonly name: string | null }>({ search, name: null })
  const hit = walk.search === search && walk.name !== null && found.includes(walk.name) ? walk.name : null
  return { found, hit, step: (by) => setWalk({ search, name: stepMatch(found, hit, by) }) }
}
