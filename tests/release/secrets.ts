/* Secrets of installations that a drill starts and that its fixtures were sealed under. They protect nothing. */

export const SECRETS = {
  JWT_KEYS: `test:${'j'.repeat(32)}`,
  TICKET_KEYS: `test:${'t'.repeat(32)}`,
  HMAC_SECRET: 'h'.repeat(32),
  OPERATOR_TOKEN: 'o'.repeat(32),
  SEAL_KEYS: `test:${'5'.repeat(64)}`,
} as const
