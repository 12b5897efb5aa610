import * as z from 'zod'
import { TICKET } from '#contract/ticket/limits.ts'

const KEY = 'netloom.ticket-drafts'
const stored = z.record(z.string(), z.string())
type Drafts = z.infer<typeof stored>

/** One person's draft of one ticket, among all that use this browser. */
const draftKey = (owner: string, number: string): string => `${owner} ${number}`

export const readDraft = (owner: string, number: string): string => read()[draftKey(owner, number)] ?? ''

/** An empty text deletes the draft; of too many the oldest go. */
export function saveDraft(owner: string, number: string, text: string): void {
  const key = draftKey(owner, number)
  const { [key]: _, ...others } = read()
  const kept = Object.entries(others).slice(1 - TICKET.draftsKept)
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(text === '' ? kept : [...kept, [key, text]])))
  } catch {
    // storage blocked or full: nothing is kept
  }
}

function read(): Drafts {
  try {
    return stored.safeParse(JSON.parse(localStorage.getItem(KEY) ?? '{}')).data ?? {}
  } catch {
    return {} // storage blocked, or written by something else
  }
}
