import type { Db } from '../db/client.ts'
import { insertOutbox } from '../features/local/queries.ts'
import type { Outside } from './outside.ts'

/** Keeps what would have left the house in a table that GET /__local/outbox shows. For ENVIRONMENT=local only. */
export function outboxOf(db: Db): Outside {
  const keep = async (row: Omit<Parameters<typeof insertOutbox>[1], 'at'>) => {
    await insertOutbox(db, { ...row, at: Date.now() })
  }
  return {
    sms: {
      sendCode: (to, code, uniqid) =>
        keep({ kind: 'sms', recipient: to, uniqid, code, body: `您的验证码是 ${code}，请勿告知他人。` }),
    },
    mail: {
      send: (to, subject, text, extra = {}) => keep({ kind: 'mail', recipient: to, subject, body: text, ...extra }),
    },
    captchaLog: (uniqid, code) => keep({ kind: 'captcha', recipient: '', uniqid, code }),
  }
}
