import { connect } from 'cloudflare:sockets'
import type { MailPort, Outside, SmsPort } from '#contract/kernel/outside.ts'
import { createDriver, openDb } from '#db/client.ts'
import { selectProviderStatus } from '#db/provider-status.ts'
import { selectSmsQuota } from '#db/sms-countries.ts'
import { createAuthVendors } from './auth-source/vendors.ts'
import { misconfigured } from './delivery-error.ts'
import { createDomainProof } from './domain-proof.ts'
import { guardCountries } from './guarded-sms.ts'
import { createDirectMail } from './mail-directmail.ts'
import { createSmtpMail } from './mail-smtp.ts'
import { type Outbound, createOutbound } from './outbound.ts'
import { createOutbox } from './outbox.ts'
import { recordMail, recordSms } from './recorded.ts'
import { isUnset, senderGaps } from './senders.ts'
import { createAliyunSms } from './sms-aliyun.ts'
import { createTencentSms } from './sms-tencent.ts'
import { createWebhooks } from './webhook/webhooks.ts'

type Provider<Port> = (env: Env, outbound: Outbound) => Port

const MAIL: Readonly<Record<string, Provider<MailPort>>> = {
  smtp: (env) => createSmtpMail(env, connect),
  directmail: createDirectMail,
}
const SMS: Readonly<Record<string, Provider<SmsPort>>> = { aliyun: createAliyunSms, tencent: createTencentSms }

/** Adapter of each port, by MAIL_PROVIDER and SMS_PROVIDER. Without one a local run has its outbox; anything else refuses. */
export function createOutside(env: Env): Outside {
  const open = () => openDb(createDriver(env))
  const outbound = createOutbound(env)
  const outbox = env.ENVIRONMENT === 'local' ? createOutbox(open) : null
  const choose = <Port>(name: string | undefined, providers: Readonly<Record<string, Provider<Port>>>) =>
    name === undefined || !Object.hasOwn(providers, name) ? undefined : providers[name]?.(env, outbound)
  const mail = isUnset(env.MAIL_PROVIDER) ? outbox?.mail : choose(env.MAIL_PROVIDER, MAIL)
  const sms = isUnset(env.SMS_PROVIDER) ? outbox?.sms : choose(env.SMS_PROVIDER, SMS)
  return {
    mail: recordMail(mail ?? { send: noProvider('MAIL_PROVIDER'), check: noProvider('MAIL_PROVIDER') }, open),
    sms: guardCountries(recordSms(sms ?? NO_SMS, open), open),
    webhook: createWebhooks(outbound),
    domains: createDomainProof(outbound),
    authVendors: createAuthVendors(env),
    gaps: async (channel, hosts) => senderGaps(env, channel, hosts),
    // As many round trips as an SMS: count, delivery, record.
    sendNothing: async () => {
      const db = open()
      await selectSmsQuota(db, '', 'sent', Date.now())
      await outbox?.sendNothing()
      await selectProviderStatus(db, Date.now())
    },
    captchaLog: async (uniqid, code) => outbox?.captchaLog(uniqid, code),
  }
}

const noProvider = (variable: string) => () =>
  Promise.reject(misconfigured(`${variable} names no provider (infra/docs/deploy.md)`))
const NO_SMS: SmsPort = {
  sendCode: noProvider('SMS_PROVIDER'),
  hasNotice: noProvider('SMS_PROVIDER'),
  sendNotice: noProvider('SMS_PROVIDER'),
  check: noProvider('SMS_PROVIDER'),
}
