import { useState } from 'react'
import { stepMatch } from './find.ts'

export interface Find {
  readonly found: readonly string[]
  /** Where the walk stands; null before its first step. */
  readonly hit: string | null
  readonly step: (by: 1 | -1) => void
}

/** A walk through the matches of a search; another search begins anew. */
export function useFind(found: readonly string[], search: string): Find {
  const [walk, setWalk] = useState<{ readonly search: string; readonly name: string | null }>({ search, name: null })
  const hit = walk.search === search && walk.name !== null && found.includes(walk.name) ? walk.name : null
  return { found, hit, step: (by) => setWalk({ search, name: stepMatch(found, hit, by) }) }
}
