import type { Channel, MailPort, SmsPort } from '#contract/kernel/outside.ts'
import type { Db } from '#db/client.ts'
import { recordFailure, recordSuccess } from '#db/provider-status.ts'
import { DeliveryError } from './delivery-error.ts'

/** Deliveries record how they went, for the operator (`ops provider-status`) and for what is known to fail. */

export const recordMail = (mail: MailPort, openDb: () => Db): MailPort => ({
  send: (to, content) => recorded('mail', openDb, content, () => mail.send(to, content)),
  check: () => mail.check(),
})

export const recordSms = (sms: SmsPort, openDb: () => Db): SmsPort => ({
  sendCode: (to, message) => recorded('sms', openDb, message, () => sms.sendCode(to, message)),
  hasNotice: (to, host) => sms.hasNotice(to, host),
  sendNotice: (to, notice) => recorded('sms', openDb, {}, () => sms.sendNotice(to, notice)),
  check: () => sms.check(),
})

async function recorded(
  channel: Channel,
  openDb: () => Db,
  { isByName = false }: { readonly isByName?: boolean | undefined },
  send: () => Promise<void>,
): Promise<void> {
  const isTyped = !isByName
  try {
    await send()
  } catch (error) {
    if (error instanceof DeliveryError) {
      const isCounted = error.of === 'provider' && isTyped
      await recordFailure(openDb(), channel, { words: error.message, isCounted }, Date.now())
    }
    throw error
  }
  await recordSuccess(openDb(), channel, { isCounted: isTyped }, Date.now())
}
