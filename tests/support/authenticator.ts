import { TOTP } from 'otpauth'

export const totpCodeAt = (secret: string, at: number): string => new TOTP({ secret }).generate({ timestamp: at })
