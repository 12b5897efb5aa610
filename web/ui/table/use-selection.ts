import { useState } from 'react'

const NONE: ReadonlySet<string> = new Set()

/** Selected rows of a list by key, over all its pages; another `scope` starts with none. */
export function useSelection(scope: string) {
  const [kept, setKept] = useState({ scope, keys: NONE })
  const keys = kept.scope === scope ? kept.keys : NONE
  const onChange = (next: ReadonlySet<string>) => setKept({ scope, keys: next })
  return { keys, onChange, clear: () => onChange(NONE) }
}
