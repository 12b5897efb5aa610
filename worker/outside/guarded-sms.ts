import { throwIf } from '#contract/kernel/errors.ts'
import type { SmsPort } from '#contract/kernel/outside.ts'
import { batch } from '#db/batch.ts'
import type { Db } from '#db/client.ts'
import { type SmsCount, checkSmsQuota, countSms, selectSmsQuota } from '#db/sms-countries.ts'

/**
 * Every SMS passes here, whatever asks for it: closed countries and full days are refused before the provider is asked. What
 * goes to an account's own contacts has a count of its own: strangers neither use it up nor see it move.
 */
export const guardCountries = (sms: SmsPort, openDb: () => Db): SmsPort => ({
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
