import { getTableConfig } from 'drizzle-orm/sqlite-core'
import { schema } from '#db/client.ts'
import type { Statement } from '#db/driver.ts'

/** Rows that a secret opens before anybody is signed in: a code, a recovery, a link, the ticket of a second factor, a state. */
const OPENED_BY_SECRET = ['codes', 'recoveries', 'token_links', 'login_tickets', 'auth_requests']

/** Tables whose rows belong to an account. States belong to one through their router. */
export const SCOPED_TABLES = [
  ...Object.values(schema)
    .map(getTableConfig)
    .filter(({ columns }) => columns.some(({ name }) => name === 'account_id'))
    .map(({ name }) => name)
    .filter((name) => !OPENED_BY_SECRET.includes(name)),
  'router_states',
]

/** A refresh token finds its own session's row: there is no account to name before that. */
const isByRefreshToken = (sql: string) =>
  /^update "(client_)?sessions" set refresh_hash/.test(sql) && sql.includes(' in (?, ?)')

/** Behind the tables of a `with`, if there are any. */
const WRITE = /^(?:with\b.*\)\s*)?(?:update|delete from|insert (?:or \w+ )?into) "?(\w+)"?/is

/** Reason to refuse a statement of the Worker: it writes rows of an account that it does not name. */
export function scopeProblem({ sql }: Pick<Statement, 'sql'>): string | null {
  const text = sql.trim()
  const [, table = ''] = WRITE.exec(text) ?? []
  if (!SCOPED_TABLES.includes(table) || isByRefreshToken(text) || isNamed(text)) return null
  return `a write without account_id: ${text}`
}

/** In the condition, not merely among the columns that are set or answered. An insert names it as a column, a `with` before. */
function isNamed(sql: string): boolean {
  const where = /^(insert|with)/i.test(sql) ? sql : sql.slice(sql.search(/\bwhere\b/i)).split(/\breturning\b/i)[0]
  return /account_id/.test(where ?? '')
}
