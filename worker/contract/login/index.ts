import { signIn } from './sign-in.ts'
import { totp } from './totp.ts'

/** Endpoints of the login noun, collected. */
export const loginApi = {
  account: signIn.account,
  ram: signIn.ram,
  authorization: signIn.authorization,
  refresh: signIn.refresh,
  logout: signIn.logout,
  totp: totp.totp,
  totpSetup: totp.totpSetup,
  totpEnable: totp.totpEnable,
} as const
