import type { Session } from '#contract/kernel/session.ts'

/** Key of a person: the main account, or one of its sub-accounts. */
export const personKey = ({ accountId, ramId }: Pick<Session, 'accountId' | 'ramId'>): string =>
  ramId === null ? `main:${accountId}` : `ram:${ramId}`
