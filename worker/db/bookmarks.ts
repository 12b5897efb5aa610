import { isD1Bookmark, toWriteBookmark, writtenAt } from '#contract/kernel/bookmark.ts'
import type { DbBindings } from './client.ts'

/* Bookmarks of callers: which reads a copy of the database near the caller may answer, and what an answer carries. */

/** True if a copy may answer a read of a caller with this bookmark. Of libSQL its last write must be older than the lag. */
export function isReadableNear(env: DbBindings, bookmark: string, now: number): boolean {
  if (!env.LIBSQL_URL) return isD1Bookmark(bookmark)
  const at = writtenAt(bookmark)
  return Boolean(env.LIBSQL_REPLICA_URL) && at !== null && at + Number(env.LIBSQL_REPLICA_LAG_S) * 1000 < now
}

/**
 * Bookmark of a read in which no trip gave one, which is the case of libSQL: the caller's own, or the present for a
 * caller without one. A read that the caller wants from the primary has none, and holds the copy off like a write.
 */
export function bookmarkOfRead(env: DbBindings, sent: string | undefined, now: number): string | undefined {
  if (!env.LIBSQL_URL || !env.LIBSQL_REPLICA_URL) return undefined
  const at = sent === undefined ? null : writtenAt(sent)
  return at === null || at > now ? toWriteBookmark(now) : sent
}
