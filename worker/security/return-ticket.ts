import { Refusal } from '#contract/kernel/errors.ts'
import * as z from 'zod'
import { RETURN_TICKET } from '#contract/device/limits.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import { readToken, signToken } from './tokens.ts'

/* Return tickets of devices, signed under TICKET_KEYS. Type and audience differ from those of all other tokens. */

const RETURN = { audience: 'netloom-return', typ: 'return+jwt' } as const

/** Grant to connect without the database, for a device that proves the key. Its hub decides if it still counts. */
export interface ReturnTicket {
  readonly hub: HubName
  readonly accountId: number
  readonly deviceId: number
  readonly routerName: string
  /** Public key of the device: `x` of its JWK. */
  readonly key: string
  /** Generation that the hub holds for its tickets. */
  readonly generation: number
}

const claims = z.object({
  hub: z.string(),
  acc: z.int(),
  dev: z.int(),
  name: z.string(),
  key: z.string(),
  gen: z.int(),
})

export const issueReturnTicket = (keys: string, ticket: ReturnTicket, now: number): Promise<string> => {
  const { hub, accountId, deviceId, routerName, key, generation } = ticket
  const content = { hub, acc: accountId, dev: deviceId, name: routerName, key, gen: generation }
  return signToken(keys, RETURN, content, now, RETURN_TICKET.seconds)
}

/** Reads a ticket; null for a text that is none, or none any more. */
export async function readReturnTicket(keys: string, text: string, now: number): Promise<ReturnTicket | null> {
  try {
    const { hub, acc, dev, name, key, gen } = await readToken(keys, RETURN, claims, text, now)
    return { hub, accountId: acc, deviceId: dev, routerName: name, key, generation: gen }
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
