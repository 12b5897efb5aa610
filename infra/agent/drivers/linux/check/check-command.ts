import { UNIT_CAPABILITIES } from '../unit-capabilities.ts'
import { checkMachine } from './check-machine.ts'

/** Prints what the machine lacks, a line each, and the capabilities of the unit. Returns false if the driver would not start. */
export async function runCheck(isNode: boolean, print: (line: string) => void): Promise<boolean> {
  const problems = await checkMachine(isNode)
  for (const { isFatal, text } of problems) print(`${isFatal ? 'missing' : 'note'}: ${text}`)
  const canStart = !problems.some(({ isFatal }) => isFatal)
  print(canStart ? 'The driver linux can start.' : 'The driver linux cannot start.')
  print('Capabilities that its unit needs:')
  for (const [name, reason] of Object.entries(UNIT_CAPABILITIES)) print(`  ${name}: ${reason}`)
  return canStart
}
