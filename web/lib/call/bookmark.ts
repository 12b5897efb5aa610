import { isBookmark, newestBookmark } from '#contract/kernel/bookmark.ts'
import { readStored, writeStored } from '#lib/session/browser-storage.ts'

/* Newest bookmark of the signed-in user, which all tabs of this browser share. */

const KEY = 'netloom.bookmark'
const otherTabs = new BroadcastChannel('netloom.bookmark')

/** Answered bookmark, and the one that the call had sent. */
interface Answered {
  readonly bookmark: string
  readonly sent?: string | undefined
}

interface Message extends Answered {
  readonly owner: string
}

let owner = ''
let newest: string | undefined

/** Starts with the bookmark that other tabs of this user have kept. Answers of this page so far count too. */
export function openBookmarks(user: string): void {
  if (user === owner) return
  owner = user
  const stored = readKept()
  if (stored !== undefined) newest = newestBookmark(newest, stored)
  write()
}

/** Bookmark for a near read; undefined before the first answer. Storage may be ahead of the message of another tab. */
export function newestKnown(): string | undefined {
  const stored = readKept()
  return stored === undefined ? newest : newestBookmark(newest, stored)
}

/** Keeps the bookmark of an answer if it is newer than all before. */
export function keepBookmark(bookmark: string | null, sent: string | undefined): void {
  if (bookmark === null || !isBookmark(bookmark) || !take({ bookmark, sent })) return
  write()
  otherTabs.postMessage({ owner, bookmark, sent } satisfies Message)
}

/** An answer older than the bookmark that was sent comes from another database: its bookmark replaces what is known. */
function take({ bookmark, sent }: Answered): boolean {
  const isReplaced = sent !== undefined && bookmark < sent
  if (!isReplaced && newestBookmark(newestKnown(), bookmark) !== bookmark) return false
  const isNew = bookmark !== newest
  newest = bookmark
  return isNew
}

function readKept(): string | undefined {
  const [bookmark = '', ...user] = (readStored('localStorage', KEY) ?? '').split(' ')
  return isBookmark(bookmark) && user.join(' ') === owner ? bookmark : undefined
}

function write(): void {
  if (owner !== '' && newest !== undefined) writeStored('localStorage', KEY, `${newest} ${owner}`)
}

otherTabs.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  if (data.owner === owner) take(data)
})
