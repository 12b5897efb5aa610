import type { Output } from '#contract/kernel/endpoint.ts'
import type { opsApi } from '#contract/ops/index.ts'
import { CHANNELS, type Channel } from '#contract/kernel/outside.ts'
import { selectProviderStatus } from '#db/provider-status.ts'
import { ACCOUNT_HOSTS } from '#domain/site/brand.ts'
import type { Ctx } from '#http/context.ts'

type Answer<K extends keyof typeof opsApi> = Output<(typeof opsApi)[K]>

/** State of a provider before its first check. */
const UNKNOWN = {
  isDown: 0,
  succeededAt: null,
  failedAt: null,
  failure: '',
  failures: 0,
  checkedAt: 0,
} as const

/** A channel of which nothing is known yet has a line as well. */
export async function providerStatus({ db, now, outside }: Ctx): Promise<Answer<'providerStatus'>> {
  const rows = await selectProviderStatus(db, now)
  const toStatus = async (channel: Channel) => {
    const row = rows.find((known) => known.channel === channel) ?? UNKNOWN
    return {
      channel,
      down: row.isDown,
      last_success: row.succeededAt,
      last_failure: row.failedAt,
      failure: row.failure,
      failures: row.failures,
      last_check: row.checkedAt || null,
      unset: [...(await outside.gaps(channel, ACCOUNT_HOSTS))],
    }
  }
  return Promise.all(CHANNELS.map(toStatus))
}
