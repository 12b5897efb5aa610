import type { UserInfo } from '#contract/account/user-info.ts'
import { writeStored } from './browser-storage.ts'

const KEY = 'netloom.drafts'

interface StoredDrafts {
  readonly owner: string
  readonly drafts: Readonly<Record<string, unknown>>
}

/** Readers of unsaved form values, by the key of the form; a reader returns null if nothing is unsaved. */
const sources = new Map<string, () => unknown>()

/** One person, among all that use this browser. */
export const ownerOf = ({ username, ram }: UserInfo): string => `${ram} ${username}`

/** Registers an open form. Its draft must hold no password and no code. */
export function registerDraft(key: string, read: () => unknown): () => void {
  sources.set(key, read)
  return () => sources.delete(key)
}

/** Keeps what is unsaved in this tab, for the same user only. Called when the session ends by itself, before the reload. */
export function keepDrafts(user: UserInfo): void {
  const unsaved = [...sources].map(([key, read]) => [key, read()] as const).filter(([, draft]) => draft !== null)
  if (unsaved.length === 0) return
  write({ owner: ownerOf(user), drafts: Object.fromEntries(unsaved) })
}

/** Drafts of another user are dropped at the sign-in, whoever opens a form later. */
export function dropForeignDrafts(user: UserInfo): void {
  if (read()?.owner !== ownerOf(user)) write(null)
}

/** Takes the draft of a form out of the store; undefined without one. */
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
