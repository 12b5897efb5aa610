import {
  type DirectoryEntry,
  type UserQuery,
  ID_ATTRIBUTES,
  listAttributes,
  STATE_ATTRIBUTES,
  isEntryDisabled,
  entryId,
  idFilter,
  toDirectoryEntry,
} from '#domain/ldap/directory-entry.ts'
import type { DirectoryKind } from '#domain/ldap/directory-kind.ts'
import { type UserFilter, parseUserFilter } from '#domain/ldap/user-filter.ts'
import { DirectoryError, failDirectory } from '#outside/tls/failure.ts'
import type { DirectoryLimits } from '#contract/ldap/limits.ts'
import type { LdapEntry } from './response.ts'
import type { LdapSession } from './session.ts'

/* Searches of users in a directory: the whole list page by page, and one entry by its id. */

export interface SearchContext {
  readonly session: LdapSession
  readonly kind: DirectoryKind
  /** False: the server has no paging control. */
  readonly hasPaging: boolean
  readonly limits: DirectoryLimits
  readonly now: number
}

const FIRST_PAGE = Buffer.alloc(0)

type OnPage = (users: readonly DirectoryEntry[]) => void | Promise<void>
/** Reads one page; without a cookie all users at once. */
type ReadPage = (cookie: Buffer | null) => Promise<{ readonly users: DirectoryEntry[]; readonly next: Buffer | null }>

/**
 * Lists users, page by page where the server can. One that hides its controls and refuses a page is asked again for all at
 * once: a listing that its limit cuts off fails.
 */
export async function listUsers(context: SearchContext, query: UserQuery, onPage: OnPage): Promise<void> {
  const listWhole = async () => onPage((await createReader(context, query)(null)).users)
  if (!context.hasPaging) return listWhole()
  let isBegun = false
  const take: OnPage = (users) => {
    isBegun = true
    return onPage(users)
  }
  try {
    await listPages(createReader(context, query), take, context.limits)
  } catch (error) {
    if (isBegun || !(error instanceof DirectoryError && error.reason === 'paging_unsupported')) throw error
    await listWhole()
  }
}

/** Reads pages of one listing; a reader counts a repeated entry once. */
function createReader(context: SearchContext, query: UserQuery): ReadPage {
  const { session, kind, limits } = context
  const filter = toFilter(query, kind)
  const attributes = listAttributes(query)
  const take = createCollector(context, query)
  return async (cookie) => {
    const users: DirectoryEntry[] = []
    const page = cookie && { size: limits.pageSize, cookie }
    const search = { baseDn: query.baseDn, scope: 'sub', filter, attributes, sizeLimit: 0, page } as const
    const next = await session.search(search, (entry) => {
      const user = take(entry)
      if (user) users.push(user)
    })
    return { users, next }
  }
}

/** Lists users to the last page. An empty page with a cookie is not the last: Active Directory sends such pages. */
async function listPages(readPage: ReadPage, onPage: OnPage, limits: DirectoryLimits): Promise<void> {
  let cookie = FIRST_PAGE
  for (let empty = 0; empty <= limits.emptyPages;) {
    const isFirst = cookie.length === 0
    const { users, next } = await readPage(cookie)
    // Without a paging control the first answer is complete, but a later one has lost the rest.
    if (next === null && !isFirst) return failDirectory('incomplete', {}, 'page without a control')
    if (users.length > 0 || isFirst) await onPage(users)
    if (next === null || next.length === 0) return
    cookie = next
    empty = users.length === 0 ? empty + 1 : 0
  }
  return failDirectory('incomplete', {}, 'empty pages')
}

/** Turns entries into users. A repeated entry counts once; a second entry with the same id fails. */
function createCollector(
  { limits, now }: SearchContext,
  query: UserQuery,
): (entry: LdapEntry) => DirectoryEntry | null {
  const names = new Map<string, string>()
  return ({ dn, attributes }) => {
    const user = toDirectoryEntry(dn, attributes, query, now)
    if (user === null) return failDirectory('no_id')
    const known = names.get(user.id)
    if (known === dn) return null
    if (known !== undefined) return failDirectory('duplicate_id')
    names.set(user.id, dn)
    return names.size > limits.users ? failDirectory('too_many') : user
  }
}

export interface FoundEntry {
  readonly dn: string
  /** True if the directory has disabled the user. */
  readonly isDisabled: boolean
}

/** Finds the entry with this id within the query; null if there is none. */
export async function findEntry(context: SearchContext, query: UserQuery, id: string): Promise<FoundEntry | null> {
  const { session, kind, now } = context
  const byId = idFilter(id.toLowerCase(), kind.ids)
  if (byId === null) return null
  const filter: UserFilter = { kind: 'and', parts: [byId, toFilter(query, kind)] }
  const found: LdapEntry[] = []
  const attributes = [...ID_ATTRIBUTES, ...STATE_ATTRIBUTES]
  await session.search(
    { baseDn: query.baseDn, scope: 'sub', filter, attributes, sizeLimit: 2, page: null },
    (entry) => {
      if (entryId(entry.attributes) === id.toLowerCase()) found.push(entry)
    },
  )
  const [entry] = found
  if (found.length > 1) return failDirectory('duplicate_id')
  return entry ? { dn: entry.dn, isDisabled: isEntryDisabled(entry.attributes, now) } : null
}

function toFilter({ filter, usernameAttribute }: UserQuery, kind: DirectoryKind): UserFilter {
  if (filter === null) return kind.people(usernameAttribute)
  return parseUserFilter(filter) ?? failDirectory('filter_invalid')
}
