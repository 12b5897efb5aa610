import type { Outside } from '../contract/outside.ts'
import { driverOf, openDb } from '../db/client.ts'
import { createLocalOutside } from './outbox.ts'

/** Which adapter is used for what. A port without a provider refuses, so that a call fails instead of lying. */
export function outsideOf(env: Env): Outside {
  if (env.ENVIRONMENT === 'local') return createLocalOutside(openDb(driverOf(env)))
  return {
    sms: { sendCode: () => Promise.reject(new Error('no SMS provider is configured')) },
    mail: { send: () => Promise.reject(new Error('no mail server is configured')) },
    captchaLog: async () => {},
  }
}
