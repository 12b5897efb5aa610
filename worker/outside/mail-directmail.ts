import type { MailPort } from '#contract/kernel/outside.ts'
import { toLine, isMailbox } from '#domain/mail/compose.ts'
import { displayName } from '#domain/site/brand.ts'
import { callAliyun } from './aliyun.ts'
import { DeliveryError } from './delivery-error.ts'
import type { Outbound } from './outbound.ts'
import { unsubscribeHeaders } from './mime.ts'
import { mailSender } from './senders.ts'

/* Mail by Alibaba Cloud DirectMail. */

const VERSION = '2015-11-23'
const ALIAS_MAX = 14 // shorter than 15 characters

/** Creates the port. Bodies have up to 80 kB, so the parameters are sent as a form. */
export function createDirectMail(env: Env, outbound: Outbound): MailPort {
  const service = { env, outbound }
  return {
    async send(to, { host, subject, text, html, unsubscribe }) {
      // Commas separate addresses here, so only a single mailbox is accepted.
      if (!isMailbox(to)) {
        throw new DeliveryError({ of: 'recipient', isRetryable: false, code: 'ADDRESS', words: 'no mailbox' })
      }
      const name = displayName(host)
      await callAliyun(service, 'DIRECTMAIL', {
        action: 'SingleSendMail',
        version: VERSION,
        query: {},
        form: {
          AccountName: mailSender(env, host),
          AddressType: '1',
          ReplyToAddress: 'false',
          ToAddress: to,
          ...(name !== null && { FromAlias: [...name].slice(0, ALIAS_MAX).join('') }),
          Subject: toLine(subject),
          TextBody: text,
          HtmlBody: html,
          ...(unsubscribe !== undefined && { Headers: JSON.stringify(unsubscribeHeaders(unsubscribe)) }),
          UnSubscribeLinkType: 'disabled', // otherwise the vendor adds a list of its own, which we cannot see
        },
      })
    },
    check: () => callAliyun(service, 'DIRECTMAIL', { action: 'DescAccountSummary', version: VERSION, query: {} }),
  }
}
