import type { HashClient, Passwords } from '#contract/kernel/passwords.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { type Ctx, requireSession } from './context.ts'

/** Signed-in person: accounts share the pool, and people share their account's part. */
export function signedInClient(ctx: Ctx): HashClient {
  const { accountId, ramId } = requireSession(ctx)
  return { account: `account:${accountId}`, source: `person:${accountId}:${ramId ?? 'main'}`, isAnonymous: false }
}

/** Somebody who has proved an e-mail address or a phone by a code, or the operator. */
export const provenClient = ({ ipBlock }: Ctx, account: string): HashClient => ({
  account,
  source: `address:${ipBlock}`,
  isAnonymous: false,
})

/** A visitor who signs in. `name` is what was typed, so that known and unknown names wait alike. */
export const visitorClient = ({ ipBlock }: Ctx, name: string): HashClient => ({
  account: `${name}:${ipBlock}`,
  source: `address:${ipBlock}`,
  isAnonymous: true,
})

export async function hashInPool(passwords: Passwords, client: HashClient, password: string): Promise<string> {
  const { hash } = await passwords.run(client, { hash: { password } })
  return hash ?? refuse('FAULT')
}
