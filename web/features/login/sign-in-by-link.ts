import { DONE } from '#contract/kernel/result.ts'
import { ApiError } from '#lib/call/call.ts'
import { isTransient } from '#lib/call/transport.ts'
import { adoptSession, endSession } from '#lib/session/session.ts'
import { toast } from '#lib/toast/toast.ts'
import { authorize } from './api.ts'

/* Sign-in by the token of a link. */

let waiting: ApiError | undefined
let unanswered: string | undefined

/** Token of a link that got no answer, for another try. It stays in memory alone. */
export const unansweredLink = (): string | undefined => unanswered

/** Refusal of a link that needs the second step; the login page shows that step. */
export function consumeWaitingLink(): ApiError | undefined {
  const taken = waiting
  waiting = undefined
  return taken
}

/**
 * Loads the second step. The import stands here, in the first chunk, which has the list of chunk files: the login page
 * would add a list of its own.
 */
export const loadSecondStep = () => import('./second-step/second-step.tsx').then((m) => m.SecondStep)

/** Exchanges the token of a link for a session; resolves to true on success. A toast shows the result. */
export async function signInByLink(token: string): Promise<boolean> {
  unanswered = undefined
  try {
    const { data } = await authorize(token)
    adoptSession(data)
    toast.done(DONE.authorized)
    return true
  } catch (error) {
    const refusal = error instanceof ApiError ? error : undefined
    if (refusal?.ticket !== undefined) waiting = refusal
    else {
      toast.error('授权失败', { detail: refusal?.msg })
      if (refusal !== undefined && isTransient(refusal)) unanswered = token
      else await endSession()
    }
    return false
  }
}
