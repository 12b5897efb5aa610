import { CHANNELS, type Outside } from '#contract/kernel/outside.ts'
import type { Db } from '#db/client.ts'
import { claimCheck, recordDown, recordUp } from '#db/provider-status.ts'
import { DeliveryError } from '#outside/delivery-error.ts'

/** Job that checks the providers of mail and SMS without a delivery. Their answer depends on no recipient. */
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
