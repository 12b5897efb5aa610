import type { Input } from '../../../worker/contract/endpoint.ts'
import { ramApi } from '../../../worker/contract/ram.ts'
import { call } from '../../lib/call.ts'

/** Ends the caller's own session. */
export const changePassword = (input: Input<typeof ramApi.password>) => call(ramApi.password, input)
