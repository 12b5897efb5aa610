import { checkFirewalls } from './firewalls.ts'
import { checkInstalled } from './installed.ts'
import { checkManagers } from './managers.ts'
import { checkPrivileges } from './privileges.ts'
import type { Problem } from './problem.ts'
import { checkRates } from './rates.ts'
import { checkRouting } from './routing.ts'
import { checkVersions } from './versions.ts'

/**
 * Everything that the machine lacks for the driver `linux`, or that stands in its way; fatal ones first. Changes nothing.
 * @param isNode as a POP node.
 */
export async function checkMachine(isNode: boolean): Promise<readonly Problem[]> {
  const checks = [
    checkPrivileges,
    () => checkInstalled(isNode),
    checkVersions,
    checkFirewalls,
    checkManagers,
    checkRouting,
    checkRates,
  ]
  const problems = (await Promise.all(checks.map((check) => check()))).flat()
  return problems.toSorted((a, b) => Number(b.isFatal) - Number(a.isFatal))
}
