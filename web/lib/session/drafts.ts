import type { UserInfo } from '#contract/account/user-info.ts'
import { writeStored } from './browser-storage.ts'

/* Drafts of unsaved forms, kept in the tab over the end of a session. */

const KEY = 'netloom.drafts'

interface StoredDrafts {
  readonly owner: string
  readonly drafts: Readonly<Record<string, unknown>>
}

/** Readers of unsaved form values, by the key of the form; a reader returns null if nothing is unsaved. */
const sources = new Map<string, () => unknown>()

/** Key of one person among the users of this browser. */
export const ownerOf = ({ username, ram }: UserInfo): string => `${ram} ${username}`

/** Registers an open form. Its draft must hold no password and no code. */
export function registerDraft(key: string, read: () => unknown): () => void {
  sources.set(key, read)
  return () => sources.delete(key)
}

/** Keeps unsaved values in this tab, for the same user only. Called before the reload of a session that ended by itself. */
export function keepDrafts(user: UserInfo): void {
  const unsaved = [...sources].map(([key, read]) => [key, read()] as const).filter(([, draft]) => draft !== null)
  if (unsaved.length === 0) return
  write({ owner: ownerOf(user), drafts: Object.fromEntries(unsaved) })
}

export function dropForeignDrafts(user: UserInfo): void {
  if (read()?.owner !== ownerOf(user)) write(null)
}

export function consumeDraft(key: string): unknown {
  const stored = read()
  if (stored === null || !(key in stored.drafts)) return undefined
  const { [key]: draft, ...rest } = stored.drafts
  write(Object.keys(rest).length === 0 ? null : { ...stored, drafts: rest })
  return draft
}

function read(): StoredDrafts | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as StoredDrafts | null
  } catch {
    return null // storage blocked, or written by something else
  }
}

function write(next: StoredDrafts | null): void {
  writeStored('sessionStorage', KEY, next === null ? null : JSON.stringify(next))
}
