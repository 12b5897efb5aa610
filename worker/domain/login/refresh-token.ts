import { SESSION } from '#contract/login/limits.ts'

/** Refresh-token columns of a session. */
interface Rotation {
  /** Hash of the token shown last, and of the one that it succeeded. */
  readonly refreshHash: string
  readonly refreshParent: string
  readonly rotatedAt: number
}

/**
 * A token is current while none of its successors was shown, also when it is shown again because an answer was lost. Shown
 * for the first time, a successor has become the row's token by now. Its siblings, which other tabs may hold, stay good
 * for ten seconds; whatever comes later was copied.
 */
export function isCurrentToken(
  token: { readonly hash: string; readonly parent: string },
  { refreshHash, refreshParent, rotatedAt }: Rotation,
  now: number,
): boolean {
  if (token.hash === refreshHash) return true
  return token.parent !== '' && token.parent === refreshParent && now - rotatedAt <= SESSION.refreshGraceMs
}
