import { CHANNELS, type Outside } from '#contract/kernel/outside.ts'
import type { Db } from '#db/client.ts'
import { claimCheck, recordDown, recordUp } from '#db/provider-status.ts'
import { DeliveryError } from '#outside/delivery-error.ts'

/** Asks the providers of mail and SMS whether they work, without sending: what they answer depends on nobody's name. */
export async function checkProviders(db: Db, outside: Pick<Outside, 'mail' | 'sms'>, now: number): Promise<void> {
  for (const channel of CHANNELS) {
    const [claimed] = await claimCheck(db, channel, now)
    if (!claimed) continue
    try {
      await outside[channel].check()
      await recordUp(db, channel)
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error
      await recordDown(db, channel, error.message, now)
    }
  }
}
