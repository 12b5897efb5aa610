import { type Plan, planRun } from '#domain/ldap/plan.ts'
import { type Owner, readMembers } from './database.ts'
import type { DirectoryStorage } from './storage.ts'

/** Plan of the newest listing, if it ran now. @param chosen users that get seats first. */
export async function readPlan(
  env: Env,
  owner: Owner,
  storage: DirectoryStorage,
  chosen: readonly string[] = [],
): Promise<Plan> {
  const users = storage.state.listedRevision === owner.revision ? storage.listing() : []
  const members = await readMembers(env, owner.accountId)
  return planRun({ users, members, remaining: owner.max - owner.used, chosen: new Set(chosen) })
}
