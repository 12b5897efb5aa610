/** A session's row as far as its sockets depend on it: its version grows with each change of its rights. */
interface Rights {
  readonly id: string
  readonly version: number
}

/** Under which a session watches: another one once its rights have changed, so that sockets opened before are closed. */
export const watchKey = ({ id, version }: Rights): string => (version === 1 ? id : `${id}.${version}`)

const RECENT = 3 // changes within the half minute that a ticket lives

/** Keys under which a ticket may still be shown: the recent ones before this version, and its own where it has ended. */
export function outdatedKeys({ id, version, hasEnded }: Rights & { readonly hasEnded: boolean }): string[] {
  const last = hasEnded ? version : version - 1
  const first = Math.max(1, version - RECENT)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => watchKey({ id, version: first + i }))
}
