import { DONE } from '../../../worker/contract/result.ts'
import { ApiError } from '../../lib/call.ts'
import { adoptSession, endSession } from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import { authorize } from './api.ts'

/** Exchanges the token of a link for a session; resolves to whether that worked. A toast shows the result. */
export async function signInByLink(token: string): Promise<boolean> {
  try {
    const { data } = await authorize(token)
    adoptSession(data)
    toast.done(DONE.authorized)
    return true
  } catch (error) {
    toast.error('授权失败', { detail: error instanceof ApiError ? error.msg : undefined })
    await endSession()
    return false
  }
}
