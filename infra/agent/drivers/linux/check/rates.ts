import { findProgram, requireProgram, runProgram } from '../programs.ts'
import { type Problem, hint } from './problem.ts'

/* Abilities of the kernel to shape traffic, tried at the loopback of a network namespace. */

const TRIALS = [
  [
    'qdisc replace dev lo root tbf rate 10mbit burst 64kb latency 100ms\n',
    'no tbf in the kernel: documents with rates are refused',
  ],
  [
    'qdisc add dev lo clsact\nfilter add dev lo ingress matchall action drop\n',
    'no TC classifier in the kernel: a rate limits what the device sends, not what it receives',
  ],
] as const

export async function checkRates(): Promise<Problem[]> {
  const names = ['tc', 'unshare']
  const found = await Promise.all(names.map(findProgram))
  if (found.includes(null)) return []
  const tc = await requireProgram('tc')
  const results = await Promise.all(
    TRIALS.map(async ([input, text]) => {
      const { code } = await runProgram('unshare', ['--net', '--', tc, '-batch', '-'], { input })
      return code === 0 ? [] : [hint(text)]
    }),
  )
  return results.flat()
}
