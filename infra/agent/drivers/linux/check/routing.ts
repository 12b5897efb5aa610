import { RULE_PRIORITIES } from '#infra/agent/drivers/render/policy-rules.ts'
import { parseRules } from '../ip/rules.ts'
import { readSysctls } from '../ip/sysctls.ts'
import { findProgram, runProgram } from '../programs.ts'
import { type Problem, hint } from './problem.ts'

/* Policy rules of others in our range, and reverse path filters. */

export async function checkRouting(): Promise<Problem[]> {
  if ((await findProgram('ip')) === null) return []
  const [{ code, stdout }, sysctls] = await Promise.all([
    runProgram('ip', ['-N', '-j', '-4', 'rule', 'show']),
    readSysctls(),
  ])
  const { foreign } = parseRules(code === 0 ? stdout : '[]')
  const { first, last } = RULE_PRIORITIES
  const strict = [...sysctls].flatMap(([path, value]) => {
    const [, name = ''] = /^conf\/(.+)\/rp_filter$/.exec(path) ?? []
    return value === 1 && name !== '' ? [name] : []
  })
  return [
    ...[...new Set(foreign)].map((priority) =>
      hint(
        `a policy rule of somebody else has priority ${priority}: documents are refused (${first} to ${last} are ours)`,
      ),
    ),
    ...(strict.length === 0
      ? []
      : [
          hint(
            `rp_filter is 1 on ${strict.join(', ')}: the driver sets it to 2 on tunnels and LAN ports, not elsewhere`,
          ),
        ]),
  ]
}
