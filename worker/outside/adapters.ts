import type { Outside } from '../contract/outside.ts'
import { createDriver, openDb } from '../db/client.ts'
import { createLocalOutside } from './outbox.ts'

/** Adapter of each port. A port without a provider refuses the call. */
export function createOutside(env: Env): Outside {
  if (env.ENVIRONMENT === 'local') return createLocalOutside(openDb(createDriver(env)))
  return {
    sms: {
      sendCode: () => Promise.reject(new Error('no SMS provider is configured')),
      sendNotice: () => Promise.reject(new Error('no SMS provider is configured')),
    },
    mail: { send: () => Promise.reject(new Error('no mail server is configured')) },
    sendNothing: async () => {},
    captchaLog: async () => {},
  }
}
