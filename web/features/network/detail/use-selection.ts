import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Picked } from '../topology/topology.tsx'

/** The member or link that is selected, in the address as `member` or `link`; several links at once stay out of it. */
export function useSelection(): readonly [Picked | null, (picked: Picked | null) => void] {
  const [query, setQuery] = useSearchParams()
  const [several, setSeveral] = useState<Picked | null>(null)
  const [member, link] = [query.get('member'), query.get('link')]
  const select = (picked: Picked | null) => {
    const ids = picked?.kind === 'links' ? picked.ids : []
    setSeveral(ids.length > 1 ? picked : null)
    const to = new URLSearchParams(query)
    to.delete('member')
    to.delete('link')
    if (picked?.kind === 'member') to.set('member', picked.name)
    if (ids.length === 1) to.set('link', ids[0] ?? '')
    setQuery(to, { replace: true })
  }
  if (member !== null) return [{ kind: 'member', name: member }, select]
  if (link !== null) return [{ kind: 'links', ids: [link] }, select]
  return [several, select]
}
