import { lstat, readFile, rm, stat } from 'node:fs/promises'
import { type Log, messageOfError } from '../log.ts'

/** Source of the activation code: read while the server lacks this device's key, then forgotten. */
export interface ActivationCode {
  /** Reads the code; null if there is none, or no longer one. */
  read(): Promise<string | null>
  forget(): Promise<void>
}

const CODE_MAX = 64

/** Code in memory, for example from a pipe. */
export function heldCode(text: string | null): ActivationCode {
  let code = text
  return {
    read: async () => code,
    async forget() {
      code = null
    },
  }
}

/** Code in the first line of a file, which is deleted after use: the code on the box stays valid for a later claim. */
export function codeFile(path: string, log: Log): ActivationCode {
  let isWarned = false
  return {
    async read() {
      try {
        const code = firstLine(await readFile(path, 'utf8'))
        if (!isWarned && ((await stat(path)).mode & 0o077) !== 0) {
          isWarned = true
          log(`others may read the code file ${path}`)
        }
        return code
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      }
    },
    async forget() {
      try {
        if (!(await lstat(path)).isFile()) return // a pipe, or a link to what a secret manager holds
        await rm(path)
        log(`the activation code is no longer needed: ${path} deleted`)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') log(`cannot delete ${path}: ${messageOfError(error)}`)
      }
    },
  }
}

/** Code in the first line of a stream; its writer may stay open. */
export async function readCode(stream: AsyncIterable<Buffer | string>): Promise<ActivationCode> {
  let text = ''
  for await (const chunk of stream) {
    text += chunk.toString()
    if (text.includes('\n') || text.length > CODE_MAX) break
  }
  return heldCode(firstLine(text))
}

function firstLine(text: string): string | null {
  const line = text.split('\n', 1)[0]?.trim() ?? ''
  if (line.length > CODE_MAX) throw new Error('the activation code is too long')
  return line === '' ? null : line
}
