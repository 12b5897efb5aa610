import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RouterDocument, routerDocument } from '#contract/device/document.ts'

/** The real agent on the interfaces of this machine, as a child process. */
export interface AgentProcess {
  kill(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void
  /** The most open files it may have; null: as before. */
  limitFiles(files: number | null): void
  log(): string
}

export interface AgentFolder {
  /** @param options of the command line. */
  run(server: string, code?: string, options?: readonly string[]): AgentProcess
  /** The document that runs there; null before the first. */
  readDocument(): Promise<RouterDocument | null>
  /** A folder with the same content, as on a copied disk. */
  copy(): Promise<AgentFolder>
}

/** Agents of one test, with their state folders. `stop` ends them all. */
export function useAgents() {
  const children: ChildProcess[] = []
  const folders: string[] = []
  const createFolder = async (serial: string): Promise<AgentFolder> => {
    const state = await mkdtemp(join(tmpdir(), 'netloom-agent-'))
    folders.push(state)
    return {
      run: (server, code = '', options = []) => {
        const args = [
          '--server',
          server,
          '--serial',
          serial,
          '--state',
          state,
          ...(code === '' ? [] : ['--code-file', '-']),
          ...options,
        ]
        const child = spawn(process.execPath, ['infra/agent/main.ts', ...args], { stdio: 'pipe' })
        child.stdin.on('error', () => {}).end(code)
        children.push(child)
        return toAgent(child)
      },
      readDocument: async () => {
        const text = await readFile(join(state, 'network', 'current', 'router.json'), 'utf8').catch(() => null)
        return text === null ? null : routerDocument.parse(JSON.parse(text))
      },
      copy: async () => {
        const other = await createFolder(serial)
        await cp(state, folders.at(-1) ?? '', { recursive: true, filter: (path) => !path.endsWith('/lock') }) // void on another machine
        return other
      },
    }
  }
  return {
    createFolder,
    stop: async () => {
      for (const child of children.splice(0)) child.kill('SIGKILL')
      await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
    },
  }
}

function toAgent(child: ChildProcess): AgentProcess {
  const { pid = 0 } = child
  let output = ''
  const keep = (data: Buffer) => (output += data.toString())
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  const prlimit = (...args: string[]) =>
    execFileSync('prlimit', ['--pid', String(pid), ...args])
      .toString()
      .trim()
  let limit = ''
  return {
    kill: (signal) => void child.kill(signal),
    limitFiles: (files) => {
      limit ||= prlimit('--nofile', '--noheadings', '--output=SOFT')
      prlimit(`--nofile=${files ?? limit}:`)
    },
    log: () => output,
  }
}
