import { DONE } from '#contract/kernel/result.ts'
import { ApiError } from '#lib/call/call.ts'
import { adoptSession, endSession } from '#lib/session/session.ts'
import { toast } from '#lib/toast/toast.ts'
import { authorize } from './api.ts'

let waiting: ApiError | undefined

/** The refusal of a link that asks for the second step; the login page takes it over. */
export function consumeWaitingLink(): ApiError | undefined {
  const taken = waiting
  waiting = undefined
  return taken
}

/** Loads the second step. It stands in the first chunk, which lists the files of chunks: the login page would carry a list of its own. */
export const loadSecondStep = () => import('./second-step/second-step.tsx').then((m) => m.SecondStep)

/** Exchanges the token of a link for a session; resolves to whether that worked. A toast shows the result. */
export async function signInByLink(token: string): Promise<boolean> {
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
      await endSession()
    }
    return false
  }
}
