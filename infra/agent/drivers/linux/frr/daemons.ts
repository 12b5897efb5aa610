import { chown, mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findId } from '../accounts.ts'
import { requireProgram } from '../programs.ts'
import type { ProcessSpec } from '../processes/process-table.ts'

/* Daemons of FRR: their command lines, and the folder with their sockets and pid files. */

/** In the order of their start: the others register with zebra. */
export const DAEMONS = ['zebra', 'bgpd', 'bfdd'] as const
export type Daemon = (typeof DAEMONS)[number]

/** One set of daemons. Another one of the same device differs in its folder and its suffix. */
export interface DaemonPlace {
  /** Folder that only root writes and others may enter. */
  readonly run: string
  /** Suffix of the names of its processes, and of its rendered file. */
  readonly suffix: string
  /** File of its network namespace; null: that of this process. Throws while there is none. */
  namespace(): string | null
}

export const processName = (daemon: Daemon, { suffix }: Pick<DaemonPlace, 'suffix'>): string => `${daemon}${suffix}`

/** Account of the daemons, and the group that may use their sockets. FRR wants the account to be a member of it. */
export const FRR_USER = 'frr'
export const FRR_GROUP = 'frrvty'
/** Seconds for which zebra keeps the routes of a killed one, until bgpd has sent them again. */
const KEPT_S = 60

/**
 * bgpd takes and zeroes 640 KiB for each connection, also for those that it drops. With a fixed threshold glibc gives such a
 * block back at once; else it keeps hundreds of them.
 */
const ALLOCATION = { MALLOC_MMAP_THRESHOLD_: '131072' } as const

const frrFolder = (run: string): string => join(run, 'frr')
export const vtyPath = (run: string, daemon: Daemon): string => join(frrFolder(run), `${daemon}.vty`)

/**
 * Process of a daemon. It starts without configuration, which is loaded over its socket, and keeps everything in its own
 * folder: another FRR on the machine is not touched.
 */
export async function daemonSpec(daemon: Daemon, place: Pick<DaemonPlace, 'run' | 'suffix'>): Promise<ProcessSpec> {
  const { run } = place
  const folder = frrFolder(run)
  const program = await requireProgram(daemon)
  const account = ['-u', FRR_USER, '-g', FRR_USER]
  const sockets = ['--vty_socket', folder, '-z', join(folder, 'zserv.api'), '-i', join(folder, `${daemon}.pid`)]
  const settings = ['-f', join(folder, 'empty.conf'), '-P', '0', '--log', 'stdout', '--log-level', 'informational']
  const argv = [program, ...account, ...sockets, ...settings, ...ownOptions(daemon, folder)]
  const name = processName(daemon, place)
  const log = join(run, `${daemon}.log`)
  return { name, argv, cwd: folder, variables: ALLOCATION, text: argv.join('\n'), log }
}

function ownOptions(daemon: Daemon, folder: string): string[] {
  if (daemon === 'zebra') return ['-K', String(KEPT_S)]
  return daemon === 'bfdd' ? ['--bfdctl', join(folder, 'bfdd.sock')] : [] // else in /var/run/frr, as another FRR has it
}

/** Makes the daemons' folder, which they own; only members of their group enter it, because bfdd's socket is open to all. */
export async function prepareFolder(run: string): Promise<void> {
  const folder = frrFolder(run)
  const [uid, gid] = await Promise.all([findId('/etc/passwd', FRR_USER), findId('/etc/group', FRR_GROUP)])
  if (uid === null || gid === null) throw new Error(`the machine has no account ${FRR_USER} or no group ${FRR_GROUP}`)
  await mkdir(folder, { recursive: true, mode: 0o750 })
  if ((await stat(folder)).uid === uid) return
  await writeFile(join(folder, 'empty.conf'), '', { mode: 0o644 })
  await chown(folder, uid, gid)
}

/** Gives the daemons' folder back to root, who may delete its files then without more privileges than the unit has. */
export async function reclaimFolder(run: string): Promise<void> {
  await chown(frrFolder(run), 0, 0).catch(() => {}) // there is none
}
