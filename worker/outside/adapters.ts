import { connect } from 'cloudflare:sockets'
import { throwIf } from '#contract/kernel/errors.ts'
import type { MailPort, Outside, SmsPort, Channel } from '#contract/kernel/outside.ts'
import { batch } from '#db/batch.ts'
import { createDriver, openDb, type Db } from '#db/client.ts'
import { selectProviderStatus, recordFailure, recordSuccess } from '#db/provider-status.ts'
import { selectSmsQuota, type SmsCount, checkSmsQuota, countSms } from '#db/sms-countries.ts'
import { createAuthVendors } from './auth-source/vendors.ts'
import { misconfigured, DeliveryError } from './delivery-error.ts'
import { createDomainProof } from './domain-proof.ts'
import { createDirectMail } from './mail-directmail.ts'
import { createSmtpMail } from './mail-smtp.ts'
import { type Outbound, createOutbound } from './outbound.ts'
import { createOutbox } from './outbox.ts'
import { isUnset, senderGaps } from './senders.ts'
import { createAliyunSms } from './sms-aliyun.ts'
import { createTencentSms } from './sms-tencent.ts'
import { createWebhooks } from './webhook/webhooks.ts'

/*
 * Adapters of the outside (mail, SMS, webhooks, domains, sign-in vendors), chosen by the environment. Mail and SMS record
 * each delivery; an SMS first passes the daily quota of its country.
 */

type Provider<Port> = (env: Env, outbound: Outbound) => Port

const MAIL: Readonly<Record<string, Provider<MailPort>>> = {
  smtp: (env) => createSmtpMail(env, connect),
  directmail: createDirectMail,
}
const SMS: Readonly<Record<string, Provider<SmsPort>>> = { aliyun: createAliyunSms, tencent: createTencentSms }

/** Creates the adapters by MAIL_PROVIDER and SMS_PROVIDER. Without one a local run uses its outbox; deployments refuse. */
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
    // Makes as many round trips as an SMS: count, delivery, record.
    sendNothing: async () => {
      const db = open()
      await selectSmsQuota(db, '', 'sent', Date.now())
      await outbox?.sendNothing()
      await selectProviderStatus(db, Date.now())
    },
    captchaLog: async (uniqid, code) => outbox?.captchaLog(uniqid, code),
  }
}

const noProvider = (variable: string) => async () =>
  misconfigured(`${variable} names no provider (infra/docs/deploy.md)`)
const noSms = noProvider('SMS_PROVIDER')
const NO_SMS: SmsPort = { sendCode: noSms, hasNotice: noSms, sendNotice: noSms, check: noSms }

/** Mail port that records the result of each delivery, for `ops provider-status` and for `isProviderDown`. */
const recordMail = (mail: MailPort, open: () => Db): MailPort => ({
  send: (to, content) => recorded('mail', open, content, () => mail.send(to, content)),
  check: () => mail.check(),
})

const recordSms = (sms: SmsPort, open: () => Db): SmsPort => ({
  sendCode: (to, message) => recorded('sms', open, message, () => sms.sendCode(to, message)),
  hasNotice: (to, host) => sms.hasNotice(to, host),
  sendNotice: (to, notice) => recorded('sms', open, {}, () => sms.sendNotice(to, notice)),
  check: () => sms.check(),
})

async function recorded(
  channel: Channel,
  open: () => Db,
  { isByName = false }: { readonly isByName?: boolean | undefined },
  send: () => Promise<void>,
): Promise<void> {
  try {
    await send()
  } catch (error) {
    if (error instanceof DeliveryError) {
      const isCounted = error.of === 'provider' && !isByName
      await recordFailure(open(), channel, { words: error.message, isCounted }, Date.now())
    }
    throw error
  }
  await recordSuccess(open(), channel, { isCounted: !isByName }, Date.now())
}

/**
 * SMS port that every SMS passes. It refuses closed countries and full days before it asks the provider. SMS to an
 * account's own contacts have a separate count, which strangers can neither exhaust nor observe.
 */
const guardCountries = (sms: SmsPort, openDb: () => Db): SmsPort => ({
  async sendCode(to, message) {
    await requireSmsQuota(openDb(), to, message.isByName ? 'sent_by_name' : 'sent')
    return sms.sendCode(to, message)
  },
  hasNotice: (to, host) => sms.hasNotice(to, host),
  async sendNotice(to, notice) {
    await requireSmsQuota(openDb(), to, 'sent_by_name')
    return sms.sendNotice(to, notice)
  },
  check: () => sms.check(),
})

async function requireSmsQuota(db: Db, to: string, count: SmsCount): Promise<void> {
  const [dialCode = ''] = to.slice(1).split(' ')
  const now = Date.now()
  const { quota } = await batch(db, {
    quota: selectSmsQuota(db, dialCode, count, now),
    counted: countSms(db, dialCode, count, now),
  })
  throwIf(checkSmsQuota(quota))
}
