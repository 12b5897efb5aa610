import { readFileSync, readdirSync } from 'node:fs'

const TICKS_PER_SECOND = 100 // USER_HZ, the same on every Linux that Node runs on

/** Processor seconds a process has used so far, user and system. */
export function cpuSeconds(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const parts = fields.split(' ')
  return (Number(parts[11]) + Number(parts[12])) / TICKS_PER_SECOND
}

/** Pids of a process' descendants whose command line contains the text; its words end in NUL. */
export function descendants(pid: number, text: string): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
  return children.flatMap((child) => {
    const isWanted = readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(text)
    return [...(isWanted ? [child] : []), ...descendants(child, text)]
  })
}
