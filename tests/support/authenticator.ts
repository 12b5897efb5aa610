import { TOTP } from 'otpauth'

/** What an authenticator with this secret shows at a time. */
export const totpCodeAt = (secret: string, at: number): string => new TOTP({ secret }).generate({ timestamp: at })
