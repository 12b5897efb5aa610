import { readFile, readlink, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'

const LOCK = 'lock'

/**
 * Throws where another agent runs with this state folder. The lock is a link whose target names its process, so it appears
 * with its content and is void once that process has ended. Without /proc there is none.
 */
export async function lockFolder(folder: string): Promise<void> {
  const own = await processName('self')
  if (own === null) return
  const path = join(folder, LOCK)
  const holder = await readlink(path).catch(() => null)
  if (holder !== null && (await processName(holder.split(' ')[0] ?? '')) === holder) {
    throw new Error(`another agent runs with the state folder ${folder} (process ${holder.split(' ')[0]})`)
  }
  await rm(path, { force: true })
  await symlink(own, path)
}

/** Number, start and boot of a process: a number alone is used again. */
async function processName(pid: string): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const bootId = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    const startedAt = stat.slice(stat.lastIndexOf(')')).split(' ')[20] // field 22; field 2 may hold blanks
    return `${Number.parseInt(stat, 10)} ${startedAt} ${bootId.trim()}`
  } catch {
    return null
  }
}
