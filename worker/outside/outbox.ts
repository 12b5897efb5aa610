import type { Outside } from '../contract/outside.ts'
import type { Db } from '../db/client.ts'
import { insertNoOutboxRow, insertOutboxRow } from './outbox-table.ts'

/** Stores outgoing mails, messages and captchas in a table that GET /__local/outbox shows. For ENVIRONMENT=local only. */
export function createLocalOutside(db: Db): Outside {
  const keep = async (row: Omit<Parameters<typeof insertOutboxRow>[1], 'at'>) => {
    await insertOutboxRow(db, { ...row, at: Date.now() })
  }
  return {
    sms: {
      sendCode: (to, code, uniqid) =>
        keep({ kind: 'sms', recipient: to, uniqid, code, body: `您的验证码是 ${code}，请勿告知他人。` }),
      sendNotice: (to, text) => keep({ kind: 'sms', recipient: to, body: text }),
    },
    mail: {
      send: (to, subject, text, extra = {}) => keep({ kind: 'mail', recipient: to, subject, body: text, ...extra }),
    },
    sendNothing: async () => void (await insertNoOutboxRow(db)),
    captchaLog: (uniqid, code) => keep({ kind: 'captcha', recipient: '', uniqid, code }),
  }
}
