import { SEALED_SECRETS } from '#contract/kernel/limits.ts'
import type { Db } from '#db/client.ts'
import { saveSealedSecrets, selectUnsealed } from '#features/network/sql/secrets.ts'
import { faultText, log } from '#http/log.ts'
import { openNetworkSecret, sealNetworkSecret } from '#security/network-secret.ts'
import { sealedPrefix } from '#security/sealed.ts'

/* Job that seals secrets of networks of an earlier release, and those under an earlier key of SEAL_KEYS. */

interface SealRun {
  readonly db: Db
  readonly sealKeys: string
  readonly runId: string
}

/** Seals one portion a run. A secret that cannot be opened is logged and stays as it is. */
export async function sealNetworkSecrets({ db, sealKeys, runId }: SealRun): Promise<void> {
  const found = await selectUnsealed(db, await sealedPrefix(sealKeys), SEALED_SECRETS.perRun)
  const results = await Promise.allSettled(
    found.map(async (row) => {
      const after = await sealNetworkSecret(sealKeys, row, await openNetworkSecret(sealKeys, row))
      return { id: row.id, accountId: row.accountId, before: row.secretSealed, after }
    }),
  )
  const sealed = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const [failed, ...others] = results.filter((result) => result.status === 'rejected')
  if (sealed.length > 0) await saveSealedSecrets(db, sealed)
  if (failed === undefined) return
  log('error', 'network_secret', { requestId: runId, count: 1 + others.length, error: faultText(failed.reason) })
}
