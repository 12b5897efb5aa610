import { execFile } from 'node:child_process'
import { access, constants, readFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/* Programs of the device: where they are, and their runs. Arguments are lists: no shell reads them. */

/** Folders of system programs, which are in no ordinary user's PATH; those of FRR by distribution. */
const SYSTEM_FOLDERS = ['/usr/sbin', '/sbin', '/usr/bin', '/bin', '/usr/lib/frr', '/usr/libexec/frr']

/** Path of a program; null if the machine has none. */
export async function findProgram(name: string): Promise<string | null> {
  const folders = [...SYSTEM_FOLDERS, ...(process.env['PATH'] ?? '').split(delimiter).filter(Boolean)]
  for (const folder of folders) {
    const path = join(folder, name)
    if (await isExecutable(path)) return path
  }
  return null
}

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

/** Path of a program; throws if the machine has none. */
export async function requireProgram(name: string): Promise<string> {
  const path = await findProgram(name)
  if (path === null) throw new Error(`${name} is not installed`)
  return path
}

export interface ProgramResult {
  /** Exit code; -1 for a program that did not end by itself. */
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const TIMEOUT_MS = 20_000
const OUTPUT_MAX = 16 * 1024 * 1024

interface RunOptions {
  /** Standard input. */
  readonly input?: string
  readonly timeoutMs?: number
}

function execute(
  [path = '', ...args]: readonly string[],
  { input = '', timeoutMs = TIMEOUT_MS }: RunOptions,
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const options = { timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: OUTPUT_MAX, env: { LANG: 'C' } } as const
    const child = execFile(path, args, options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, stdout, stderr }),
    )
    child.stdin?.on('error', () => {}) // it ended without reading
    child.stdin?.end(input)
  })
}

/** Runs programs in one network namespace, and reads its interfaces. */
export interface Runner {
  /** Runs a program to its end. */
  run(name: string, args: readonly string[], options?: RunOptions): Promise<ProgramResult>
  /** Runs a program, and returns its output; throws with its message unless the exit code is 0. */
  output(name: string, args: readonly string[], input?: string): Promise<string>
  /** Text of /proc/net/dev. */
  readInterfaces(): Promise<string>
}

/** @param find file of the namespace, `/proc/<pid>/ns/net`; null: the namespace of this process. */
export function runnerIn(find: () => string | null): Runner {
  async function run(name: string, args: readonly string[], options: RunOptions = {}): Promise<ProgramResult> {
    return execute([...(await launcherInto(find())), await requireProgram(name), ...args], options)
  }
  return {
    run,
    async output(name, args, input = '') {
      const { code, stdout, stderr } = await run(name, args, { input })
      if (code !== 0) throw new Error(`${name} ${args.join(' ')}: ${(stderr || stdout).trim() || `exit code ${code}`}`)
      return stdout
    },
    readInterfaces: () => readFile(join(find() ?? '/proc/self/ns/net', '../../net/dev'), 'utf8'),
  }
}

/** Start of a command line whose program becomes the following one, in a network namespace. */
export async function launcherInto(namespace: string | null): Promise<readonly string[]> {
  return namespace === null ? [] : [await requireProgram('nsenter'), `--net=${namespace}`, '--']
}

/** Runs programs in the namespace of this process. */
export const deviceRunner = runnerIn(() => null)
export const runProgram: Runner['run'] = (...args) => deviceRunner.run(...args)
export const outputOf: Runner['output'] = (...args) => deviceRunner.output(...args)

const LOG_MAX = 1024

/** Messages of tools for a report: at most 1 KB. */
export const toLog = (text: string): string => Buffer.from(text.trim()).subarray(0, LOG_MAX).toString()
