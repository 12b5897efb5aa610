import { decodeProtectedHeader } from 'jose'
import * as z from 'zod'
import type { ClientSession } from '#contract/kernel/session.ts'
import { readToken, signToken } from './tokens.ts'
import { SESSION } from '#contract/login/limits.ts'

/* Access tokens of the client application. Type and audience differ from those of the console's tokens. */

const CLIENT = { audience: 'netloom-client', typ: 'client+jwt' } as const

const claims = z.object({ sub: z.string(), sid: z.string(), rid: z.int() })

export const signClientToken = (keys: string, { id, accountId, routerId }: ClientSession, now: number) =>
  signToken(keys, CLIENT, { sub: String(accountId), sid: id, rid: routerId }, now, SESSION.accessMinutes * 60)

/** Tells the two kinds of tokens apart by the unverified header. The reader of each kind checks the signature. */
export function isClientToken(token: string): boolean {
  try {
    return decodeProtectedHeader(token).typ === CLIENT.typ
  } catch {
    return false
  }
}

/** Throws TOKEN_EXPIRED or TOKEN_BAD. */
export async function readClientToken(keys: string, token: string, now: number): Promise<ClientSession> {
  const { sub, sid, rid } = await readToken(keys, CLIENT, claims, token, now)
  return { id: sid, accountId: Number(sub), routerId: rid }
}
