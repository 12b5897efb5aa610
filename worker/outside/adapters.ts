import type { Outside } from '../contract/outside.ts'
import { createDriver, openDb } from '../db/client.ts'
import { createLocalOutside } from './outbox.ts'

/** Which adapter is used for what. A port without a provider refuses, so that a call fails instead of lying. */
export function createOutside(env: Env): Outside {
  if (env.ENVIRONMENT === 'local') return createLocalOutside(openDb(createDriver(env)))
  return {
    sms: { sendCode: () => Promise.reject(new Error('no SMS provider is configured')) },
    mail: { send: () => Promise.reject(new Error('no mail server is configured')) },
    captchaLog: async () => {},
  }
}
