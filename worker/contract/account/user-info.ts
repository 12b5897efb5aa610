import * as z from 'zod'
import { wireBoolean } from '#contract/kernel/fields.ts'
import { PERMISSIONS } from '#contract/kernel/permissions.ts'

/** Signed-in user. The file is separate because the sign-in page needs no other part of the account. */
export const userInfo = z.object({
  username: z.string(),
  nickname: z.string(),
  birthday: z.string(),
  industry: z.string(),
  occupation: z.string(),
  user_phone: z.string(), // '+86 138****0000': masked
  user_email: z.string(), // masked
  message_count: z.int(), // unread
  ram: wireBoolean,
  sign: z.string(),
  config: z.object({ software_auth_source: wireBoolean }),
  auth: z.object({ quagga: wireBoolean, quagga_advanced: wireBoolean, default_route: wireBoolean }),
  /** Permissions for menu and buttons (contract/kernel/permissions.ts). */
  flags: z.array(z.enum(PERMISSIONS)),
  /** Network numbers a sub-account is limited to, or null. */
  networks: z.array(z.string()).nullable(),
})
export type UserInfo = z.infer<typeof userInfo>
