import { refuse } from '#contract/kernel/errors.ts'
import { selectAccountHub } from '#features/account/sql/accounts.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { activationHash } from '#security/activation.ts'
import { type Claim, recordWrongCode, selectClaimed, selectWrongCodes } from './sql/add.ts'
import { ACTIVATION_GUARD } from '#contract/router/limits.ts'

/** Serial and code as they were typed. */
export async function toClaim(ctx: Ctx, serial: string, code: string): Promise<Claim> {
  const { accountId, ramId } = requireSession(ctx)
  return { accountId, ramId, serial, hash: await activationHash(ctx.env.HMAC_SECRET, serial, code) }
}

/** Reads the device of a claim and counts a wrong code, in the call's first round trip. */
export const selectClaim = ({ db, now }: Ctx, claim: Claim) => ({
  wrong: selectWrongCodes(db, claim, now),
  recorded: recordWrongCode(db, claim, now),
  devices: selectClaimed(db, claim),
  accounts: selectAccountHub(db, claim.accountId),
})

interface LoadedClaim {
  readonly wrong: Awaited<ReturnType<typeof selectWrongCodes>>
  readonly devices: Awaited<ReturnType<typeof selectClaimed>>
  readonly accounts: Awaited<ReturnType<typeof selectAccountHub>>
}

/** The device, where the code is right. An unknown serial and a wrong code are answered alike. */
export function requireClaim({ now }: Ctx, { wrong: [wrong], devices: [device], accounts: [account] }: LoadedClaim) {
  if (wrong && wrong.count >= ACTIVATION_GUARD.failures) {
    refuse('TOO_OFTEN', { retry_after: Math.ceil((wrong.windowEnd - now) / 1000) })
  }
  return { device: device ?? refuse('DEVICE_UNKNOWN'), account: account ?? refuse('SESSION_REVOKED') }
}
