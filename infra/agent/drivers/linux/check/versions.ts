import { findProgram, runProgram } from '../programs.ts'
import { type Problem, hint } from './problem.ts'

/* Versions of OpenVPN and FRR: those that the driver was tried with, and others. */

const KNOWN = { OpenVPN: ['2.6'], FRR: ['8.4'] } as const
/** First version of FRR in which a daemon for all configuration stands before the others. */
const FRR_MGMTD = 10

/** Problem of a version in the form of `program --version`. */
export function versionProblem(name: keyof typeof KNOWN, output: string): Problem | null {
  const pattern = name === 'OpenVPN' ? /^OpenVPN (\d+)\.(\d+)/m : /version (\d+)\.(\d+)/m
  const [, major, minor] = pattern.exec(output) ?? []
  const known = `tried with ${KNOWN[name].join(', ')}`
  if (major === undefined) return hint(`${name} of an unknown version: the driver was ${known}`)
  if (name === 'FRR' && Number(major) >= FRR_MGMTD)
    return hint(`FRR ${major}.${minor} has mgmtd, which the driver does not start: it was ${known}`)
  const isKnown = KNOWN[name].some((version) => version === `${major}.${minor}`)
  return isKnown ? null : hint(`${name} ${major}.${minor} is unknown: the driver was ${known}`)
}

export async function checkVersions(): Promise<Problem[]> {
  const programs = [
    ['OpenVPN', 'openvpn'],
    ['FRR', 'bgpd'],
  ] as const
  const found = await Promise.all(
    programs.map(async ([name, program]) => {
      if ((await findProgram(program)) === null) return null
      return versionProblem(name, (await runProgram(program, ['--version'])).stdout)
    }),
  )
  return found.filter((problem) => problem !== null)
}
