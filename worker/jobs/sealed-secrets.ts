import { SEALED_SECRETS } from '#contract/kernel/limits.ts'
import type { Db } from '#db/client.ts'
import { saveSealedSecrets, selectUnsealed } from '#features/network/sql/secrets.ts'
import { saveSealedKeys, selectKeysUnderOther } from '#features/router/sql/certificates.ts'
import { faultText, log } from '#http/log.ts'
import { resealKey } from '#security/authority/sealed-key.ts'
import { openNetworkSecret, sealNetworkSecret } from '#security/network-secret.ts'
import { sealedPrefix } from '#security/sealed.ts'

/*
 * Jobs that seal secrets of networks of an earlier release, and those of networks and authorities under an earlier key of
 * SEAL_KEYS.
 */

interface SealRun {
  readonly db: Db
  readonly sealKeys: string
  readonly runId: string
}

/** Row whose sealed text changes, with the text before. */
interface Resealed {
  readonly id: number
  readonly accountId: number
  readonly before: string
  readonly after: string
}

export async function sealNetworkSecrets({ db, sealKeys, runId }: SealRun): Promise<void> {
  const found = await selectUnsealed(db, await sealedPrefix(sealKeys), SEALED_SECRETS.perRun)
  const sealed = await sealEach('network_secret', runId, found, async (row) => ({
    before: row.secretSealed,
    after: await sealNetworkSecret(sealKeys, row, await openNetworkSecret(sealKeys, row)),
  }))
  if (sealed.length > 0) await saveSealedSecrets(db, sealed)
}

export async function sealAuthorityKeys({ db, sealKeys, runId }: SealRun): Promise<void> {
  const found = await selectKeysUnderOther(db, await sealedPrefix(sealKeys), SEALED_SECRETS.perRun)
  const sealed = await sealEach('authority_key', runId, found, async (row) => ({
    before: row.keySealed,
    after: await resealKey(sealKeys, row),
  }))
  if (sealed.length > 0) await saveSealedKeys(db, sealed)
}

/** Seals one portion. A text that cannot be opened is logged and stays as it is. */
async function sealEach<Row extends Pick<Resealed, 'id' | 'accountId'>>(
  event: string,
  runId: string,
  rows: readonly Row[],
  seal: (row: Row) => Promise<Pick<Resealed, 'before' | 'after'>>,
): Promise<readonly Resealed[]> {
  const results = await Promise.allSettled(
    rows.map(async (row) => ({ id: row.id, accountId: row.accountId, ...(await seal(row)) })),
  )
  const [failed, ...others] = results.filter((result) => result.status === 'rejected')
  if (failed) log('error', event, { requestId: runId, count: 1 + others.length, error: faultText(failed.reason) })
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
}
