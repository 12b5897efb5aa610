import type { Outside } from '#contract/kernel/outside.ts'
import type { Db } from '#db/client.ts'
import { codeSms } from '#domain/mail/code.ts'
import { insertNoOutboxRow, insertOutboxRow } from '#db/local-outbox.ts'

type Outbox = Pick<Outside, 'mail' | 'sms' | 'sendNothing' | 'captchaLog'>

/** Stores outgoing mails, messages and captchas in a table that GET /__local/outbox shows. For ENVIRONMENT=local only. */
export function createOutbox(openDb: () => Db): Outbox {
  const keep = async (row: Omit<Parameters<typeof insertOutboxRow>[1], 'at'>) => {
    await insertOutboxRow(openDb(), { ...row, at: Date.now() })
  }
  return {
    sms: {
      sendCode: (to, message) =>
        keep({
          kind: 'sms',
          recipient: to,
          uniqid: message.uniqid ?? '',
          code: message.code,
          body: codeSms(message),
        }),
      hasNotice: async () => true,
      sendNotice: (to, { text }) => keep({ kind: 'sms', recipient: to, body: text }),
      check: async () => {},
    },
    mail: {
      send: (to, { subject, text, code = '', uniqid = '' }) =>
        keep({ kind: 'mail', recipient: to, subject, body: text, code, uniqid }),
      check: async () => {},
    },
    sendNothing: async () => void (await insertNoOutboxRow(openDb())),
    captchaLog: (uniqid, code) => keep({ kind: 'captcha', recipient: '', uniqid, code }),
  }
}
