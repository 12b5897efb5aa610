import type { Session } from '#contract/kernel/session.ts'

/* Keys of a session's live sockets. A change of the session's rights changes the key and closes older sockets. */

/** Columns of a session that its sockets depend on. The version grows with each change of its rights. */
type Rights = Pick<Session, 'id' | 'version'>

export const watchKey = ({ id, version }: Rights): string => (version === 1 ? id : `${id}.${version}`)

export const isKeyOf = (id: string, key: string): boolean => key === id || key.startsWith(`${id}.`)

/** Version of the session's rights in one of its keys. */
export const versionOfKey = (key: string): number => Number(key.split('.')[1] ?? 1)

const RECENT = 3 // changes to expect within the half minute of a ticket's life

/** Keys that unused tickets may still carry: recent ones before this version, and this one if the session has ended. */
export function outdatedKeys({ id, version, hasEnded }: Rights & { readonly hasEnded: boolean }): string[] {
  const last = hasEnded ? version : version - 1
  const first = Math.max(1, version - RECENT)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => watchKey({ id, version: first + i }))
}
