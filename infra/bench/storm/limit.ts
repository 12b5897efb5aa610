/* Limit of the database in the benches of storms and floods, and its counted calls. */

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

/** Sets the calls a second that the database answers, 0 for no limit, and reads what was counted. */
export async function limitDatabase(
  { origin }: { readonly origin: string },
  perSecond: number,
): Promise<DatabaseReply> {
  const response = await fetch(`${origin}${LIMIT_PATH}?per_second=${perSecond}`)
  return (await response.json()) as DatabaseReply
}
