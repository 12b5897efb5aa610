import { chmod, mkdir, open, readFile, rename, stat, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Durable key-value store of the agent. A resolved `save` survives a power cut. */
export interface Store {
  load(name: string): Promise<unknown>
  save(name: string, value: unknown): Promise<void>
}

/**
 * One JSON file per name, replaced atomically, mode 0600. Invalid JSON counts as absent. A read error is thrown: a new
 * key in place of an unreadable one would lock the device out.
 */
export async function folderStore(folder: string): Promise<Store> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (((await stat(folder)).mode & 0o022) !== 0) throw new Error(`others may write to the state folder ${folder}`)
  const tails = new Map<string, Promise<void>>()

  return {
    async load(name) {
      try {
        return JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8'))
      } catch (error) {
        if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      }
    },
    save(name, value) {
      const text = `${JSON.stringify(value, null, 2)}\n` // serialized now: the caller may mutate it
      const write = () => replaceFile(join(folder, `${name}.json`), text)
      const tail = (tails.get(name) ?? Promise.resolve()).then(write, write)
      tails.set(name, tail)
      return tail
    },
  }
}

/** Atomic replace: temporary file, fsync, rename, fsync of the folder. */
export async function replaceFile(path: string, text: string, mode = 0o600): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.new`)
  await rm(draft, { force: true }) // an interrupted one may have another mode
  await writeFile(draft, text, { mode: 0o600, flush: true })
  if (mode !== 0o600) await chmod(draft, mode) // whatever the umask is
  await rename(draft, path)
  await syncFolder(dirname(path))
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Store in memory, for virtual routers without persistence. */
export function memoryStore(entries: Readonly<Record<string, unknown>> = {}): Store {
  const values = new Map<string, unknown>(Object.entries(entries))
  return {
    load: async (name) => values.get(name) ?? null,
    save: async (name, value) => {
      values.set(name, value)
    },
  }
}

const LOCK = 'lock'

/**
 * Throws if another agent runs with this state folder. The lock is a link whose target names its process, so it appears
 * with its content and is void once that process has ended. Without /proc there is no lock.
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

/** Number, start and boot of a process, because a number alone is reused. */
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
