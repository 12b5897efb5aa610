import { useState } from 'react'
import { readStored, writeStored } from '#lib/session/browser-storage.ts'
import { useOwner } from '#lib/session/session.ts'

/* Announcements that a person has dismissed from the ticker, kept in this browser. */

/** Newest dismissals that are kept: more than the page of announcements that the ticker shows. */
const MAX = 50

/** Ids of the dismissed announcements, and the function that adds one. */
export function useDismissedAnnouncements() {
  const key = `netloom-dismissed:${useOwner()}`
  const [ids, setIds] = useState(() => readIds(key))
  const dismiss = (id: number) => {
    const next = [...new Set([...readIds(key), id])].slice(-MAX)
    writeStored('localStorage', key, next.join(','))
    setIds(next)
  }
  return { ids, dismiss }
}

const readIds = (key: string): readonly number[] =>
  (readStored('localStorage', key) ?? '').split(',').map(Number).filter(Boolean)
