import * as z from 'zod'
import { findProgram, runProgram } from '../programs.ts'
import { type Problem, hint } from './problem.ts'

/* Other packet filters of the device: ours accepts by default, and cannot open what another one drops. */

const ruleset = z.object({ nftables: z.array(z.looseObject({ chain: z.unknown().optional() })) })
const baseChain = z.object({
  family: z.string(),
  table: z.string(),
  name: z.string(),
  hook: z.string(),
  policy: z.string().optional(),
})

/** Problems of chains in the form of `nft -j list ruleset` that drop what no rule of theirs accepts. */
export function firewallProblems(listing: string): Problem[] {
  const { nftables } = ruleset.parse(JSON.parse(listing))
  const chains = nftables.flatMap(({ chain }) => baseChain.safeParse(chain).data ?? [])
  const hasDocker = nftables.some(({ chain }) => /"name":"DOCKER/.test(JSON.stringify(chain ?? null)))
  return chains
    .filter(({ table, policy, hook }) => !table.startsWith('netloom') && policy === 'drop' && hook in ASKED)
    .map(({ family, table, name, hook }) => {
      const owner = hasDocker && hook === 'forward' ? ' (of Docker)' : ''
      return hint(`chain ${family} ${table} ${name}${owner} drops by default: it has to accept ${ASKED[hook]}`)
    })
}

const ASKED: Readonly<Record<string, string>> = {
  forward: 'forwarded packets from and to ov*',
  input: 'the UDP ports of the services of this device, and what comes in by ov*',
}

export async function checkFirewalls(): Promise<Problem[]> {
  if ((await findProgram('nft')) === null) return []
  const { code, stdout, stderr } = await runProgram('nft', ['-j', 'list', 'ruleset'])
  return code === 0 ? firewallProblems(stdout) : [hint(`nft does not work: ${stderr.trim()}`)]
}
