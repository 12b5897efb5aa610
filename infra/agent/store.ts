import { mkdir, open, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** What the agent keeps over restarts. `save` has happened, power cut or not, once it resolves. */
export interface Store {
  load(name: string): Promise<unknown>
  save(name: string, value: unknown): Promise<void>
}

/**
 * One JSON file a name, replaced as a whole, readable by its owner only. A file that is no JSON counts as absent. One that
 * the disk will not give is an error: a new key in its place would lock the device out.
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
      const text = `${JSON.stringify(value, null, 2)}\n` // taken now: the caller may go on changing it
      const write = () => replaceFile(folder, `${name}.json`, text)
      const tail = (tails.get(name) ?? Promise.resolve()).then(write, write)
      tails.set(name, tail)
      return tail
    },
  }
}

/** Write beside, flush, rename, flush the folder: a kill at any point leaves the old file or the new one. */
async function replaceFile(folder: string, name: string, text: string): Promise<void> {
  const draft = join(folder, `.${name}.new`)
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, join(folder, name))
  await syncFolder(folder)
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** For virtual routers whose state may go with the process. */
export function memoryStore(entries: Readonly<Record<string, unknown>> = {}): Store {
  const values = new Map<string, unknown>(Object.entries(entries))
  return {
    load: async (name) => values.get(name) ?? null,
    save: async (name, value) => {
      values.set(name, value)
    },
  }
}
