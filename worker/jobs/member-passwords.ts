import { Refusal } from '#contract/kernel/errors.ts'
import { SEALED_PASSWORDS } from '#contract/kernel/limits.ts'
import type { Passwords } from '#contract/kernel/passwords.ts'
import type { Db } from '#db/client.ts'
import { pause } from '#db/concurrency.ts'
import { saveHashes, selectSealedPasswords } from '#features/router/sql/software.ts'
import { faultText, log } from '#http/log.ts'
import { memberPasswordPlace, openSealed } from '#security/sealed.ts'

/* Job that hashes the passwords of imported member files. */

interface HashRun {
  readonly db: Db
  readonly passwords: Passwords
  readonly sealKeys: string
  readonly runId: string
  readonly gapMs?: number
}

type Sealed = Awaited<ReturnType<typeof selectSealedPasswords>>[number]

/** Hashes sealed passwords, oldest first, after all callers who wait for a hash. It stops if the pool is full. */
export async function hashMemberPasswords(run: HashRun): Promise<void> {
  const { db, gapMs = SEALED_PASSWORDS.gapMs } = run
  const endsAt = Date.now() + SEALED_PASSWORDS.runMs
  let hashed: Parameters<typeof saveHashes>[1] = []
  const save = async () => {
    if (hashed.length > 0) await saveHashes(db, hashed)
    hashed = []
  }
  try {
    for (const member of await selectSealedPasswords(db, SEALED_PASSWORDS.perRun)) {
      if (Date.now() > endsAt) break
      const password = await open(run, member)
      if (password === null) continue
      hashed = [...hashed, { ...member, hash: await hash(run, member, password) }]
      if (hashed.length >= SEALED_PASSWORDS.savedAtOnce) await save()
      if (gapMs > 0) await pause(gapMs)
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  } finally {
    await save()
  }
}

/** Opens a sealed password. Null if its key was removed: the member needs a new password. */
async function open({ sealKeys, runId }: HashRun, { accountId, hub, sealed }: Sealed): Promise<string | null> {
  return openSealed(sealKeys, memberPasswordPlace(accountId, hub), sealed).catch((error: unknown) => {
    log('error', 'member_password', { requestId: runId, error: faultText(error) })
    return null
  })
}

/** Hashes under a key of the member, so that the pause between two hashes of an account is left to its people. */
async function hash({ passwords }: HashRun, { id }: Sealed, password: string): Promise<string> {
  const client = { account: `member:${id}`, source: 'members', isAnonymous: false, isBackground: true } as const
  const result = await passwords.run(client, { hash: { password } })
  if (result.hash === null) throw new Error('a password was not hashed')
  return result.hash
}
