import type { HashClient, HashTask, Passwords } from '#contract/kernel/passwords.ts'
import { hashPassword, isPassword } from '#security/password.ts'

/** Hashes at once, without the pool's queue, and remembers who asked for what. */
export function directPasswords() {
  const hashes: { readonly client: HashClient; readonly task: HashTask }[] = []
  const passwords: Passwords = {
    run: async (client, task) => {
      hashes.push({ client, task })
      const { check, hash } = task
      const isRight = check !== undefined && (await isPassword(check.password, check.stored))
      const isWanted = hash !== undefined && (check === undefined || isRight === (hash.ifRight ?? true))
      return { isRight, hash: isWanted ? await hashPassword(hash.password) : null }
    },
  }
  return { passwords, hashes }
}
