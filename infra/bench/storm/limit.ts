/* Limit of the database in the bench of a reconnect storm. */

export const LIMITED = { perSecond: 50 } as const

/** `?per_second=<n>` sets the limit, 0 for none. It answers the counts. */
export const LIMIT_PATH = '/__bench/limit'

/** Calls of the database since the start of the Worker by their callers, and lines of the connection log. */
export interface DatabaseReply {
  readonly connects: number
  readonly hubs: number
  readonly others: number
  readonly logLines: number
}
