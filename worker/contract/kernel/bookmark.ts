/* Bookmarks: how new the data is that a caller has seen. They sort as text, the oldest first. */

/** Header of each answer that the database took part in, and of a read that a copy of the database may answer. */
export const BOOKMARK_HEADER = 'x-netloom-bookmark'

/** Bookmark of D1: hexadecimal groups, which D1 makes so that their text sorts by age. */
const OF_D1 = /^[0-9a-f]{8}(?:-[0-9a-f]{8}){2}-[0-9a-f]{32}$/
/** Bookmark of libSQL: the time of the caller's last write. It sorts behind every one of D1. */
const OF_LIBSQL = /^w(\d{13})$/

export const isD1Bookmark = (text: string): boolean => OF_D1.test(text)

export const toWriteBookmark = (at: number): string => `w${String(at).padStart(13, '0')}`

/** Time of the last write; null for a bookmark of another kind. */
export function writtenAt(text: string): number | null {
  const [, at] = OF_LIBSQL.exec(text) ?? []
  return at === undefined ? null : Number(at)
}

/** True for a text that may be a bookmark. Its content is only compared; a forged one reads nothing newer or foreign. */
export const isBookmark = (text: string): boolean => OF_D1.test(text) || OF_LIBSQL.test(text)

/** The newer of two bookmarks. */
export const newestBookmark = (a: string | undefined, b: string): string => (a === undefined || a < b ? b : a)
