import { checkFailure } from '#infra/agent/config/config-machine.ts'
import { TUNNEL_TABLE } from '#infra/agent/drivers/render/policy-rules.ts'
import { outputOf, runProgram } from '../programs.ts'
import type { Tool } from '../tool.ts'
import { type IpObserved, type IpStep, type IpWanted, ruleProblem, planIp, toSettled, toWanted } from './ip-plan.ts'
import { type RuleState, parseAddresses, parseRoutes, parseRules } from './rules.ts'
import { SysctlRecord, readSysctls, writeSysctl } from './sysctls.ts'

/* Tool ip: policy rules, static LAN routes in a table of their own, and settings of the kernel. */

const JSON_OUTPUT = ['-N', '-j', '-4'] as const

const readRules = async (): Promise<RuleState> => parseRules(await outputOf('ip', [...JSON_OUTPUT, 'rule', 'show']))

/** @param recordFile file with the values of kernel settings before this driver. */
export function ipTool(recordFile: string): Tool<IpWanted, IpObserved, IpStep> {
  const record = new SysctlRecord(recordFile)

  async function observe(): Promise<IpObserved> {
    const [rules, table, addresses, sysctls, recorded] = await Promise.all([
      readRules(),
      runProgram('ip', [...JSON_OUTPUT, 'route', 'show', 'table', String(TUNNEL_TABLE)]),
      outputOf('ip', [...JSON_OUTPUT, 'addr', 'show', 'up']),
      readSysctls(),
      record.read(),
    ])
    // a table without routes does not exist, which is an error
    const routes = table.code === 0 ? table.stdout : '[]'
    return {
      rules,
      routes: parseRoutes(routes),
      addresses: parseAddresses(addresses),
      sysctls,
      recorded,
    }
  }

  return {
    name: 'ip',
    wanted: toWanted,
    settled: toSettled,
    plan: planIp,
    observe,

    async validate(wanted) {
      const problem = ruleProblem(await readRules(), wanted)
      return problem === null ? null : checkFailure(problem)
    },

    async run({ commands, sysctls, isRestoring }) {
      if (!isRestoring) {
        const before = await readSysctls()
        await record.add(new Map([...before].filter(([path]) => sysctls.has(path))))
      }
      for (const args of commands) await outputOf('ip', args)
      for (const [path, value] of sysctls) await writeSysctl(path, value)
      if (isRestoring) await record.clear()
    },
  }
}
