import { throwIf } from '../contract/errors.ts'
import type { SmsPort } from '../contract/outside.ts'
import { batch } from '../db/batch.ts'
import type { Db } from '../db/client.ts'
import { checkSmsRoom, countSms, selectSmsRoom } from '../db/sms-countries.ts'

/** Every SMS passes here, whatever asks for it: closed countries and full days are refused before the provider is asked. */
export const guardCountries = (sms: SmsPort, openDb: () => Db): SmsPort => ({
  async sendCode(to, message) {
    const [dialCode = ''] = to.slice(1).split(' ')
    const [db, now] = [openDb(), Date.now()]
    const { room } = await batch(db, {
      room: selectSmsRoom(db, dialCode, now),
      counted: countSms(db, dialCode, now),
    })
    throwIf(checkSmsRoom(room))
    return sms.sendCode(to, message)
  },
  check: () => sms.check(),
})
