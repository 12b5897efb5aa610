import type { HashClient, Passwords } from '#contract/kernel/passwords.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { type Ctx, requireSession } from './context.ts'

/* Clients of the password hash pool: signed-in people, visitors, and callers with a proved contact. */

/** Signed-in person. Accounts share the pool, and people share the part of their account. */
export function signedInClient(ctx: Ctx): HashClient {
  const { accountId, ramId } = requireSession(ctx)
  return { account: `account:${accountId}`, source: `person:${accountId}:${ramId ?? 'main'}`, isAnonymous: false }
}

/** Person who has proved an e-mail address or a phone by a code, or the operator. */
export const provenClient = ({ ipBlock }: Ctx, account: string): HashClient => ({
  account,
  source: `address:${ipBlock}`,
  isAnonymous: false,
})

/** Visitor who signs in. `name` is the typed name, so that known and unknown names wait alike. */
export const visitorClient = ({ ipBlock }: Ctx, name: string): HashClient => ({
  account: `${name}:${ipBlock}`,
  source: `address:${ipBlock}`,
  isAnonymous: true,
})

export async function hashInPool(passwords: Passwords, client: HashClient, password: string): Promise<string> {
  const { hash } = await passwords.run(client, { hash: { password } })
  return hash ?? refuse('FAULT')
}
