import * as z from 'zod'
import { time } from './fields.ts'
import { presenceState } from './protocol.ts'

/** A change of a member's state, as the account's hub keeps it for 48 hours, or as the connection log has it. */
export const transition = z.object({ from: presenceState, to: presenceState, at: time, reason: z.string() })
