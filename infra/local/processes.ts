import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { accessSync, constants, readFileSync, readdirSync } from 'node:fs'

/* Runs commands, ends this one, and reads memory and children of processes. */

const running = new Set<ChildProcess>()

export const endCommands = (): void => running.forEach((child) => child.kill('SIGTERM'))

/** Runs a command and captures its output, both streams and stdout alone; `show` prints it too. */
export function run(
  command: string,
  args: readonly string[],
  options: SpawnOptions & { show?: boolean } = {},
): Promise<{ readonly code: number; readonly output: string; readonly stdout: string }> {
  const { show = false, ...spawnOptions } = options
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...spawnOptions, stdio: ['ignore', 'pipe', 'pipe'] })
    running.add(child)
    let [output, stdout] = ['', '']
    const keep = (stream: NodeJS.WriteStream) => (chunk: Buffer) => {
      output += chunk.toString()
      if (stream === process.stdout) stdout += chunk.toString()
      if (show) stream.write(chunk)
    }
    child.stdout?.on('data', keep(process.stdout))
    child.stderr?.on('data', keep(process.stderr))
    child.on('error', (error) => resolve({ code: 127, output: String(error), stdout }))
    child.on('close', (code) => {
      running.delete(child)
      resolve({ code: code ?? 1, output, stdout })
    })
  })
}

/** Ends this process as failed, with a message. */
export function stop(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

/** True if this process may run the program at the path. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Resident memory of a process and its children, in MiB; 0 without /proc. */
export function memoryMiB(pid: number): number {
  try {
    const own = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
    return Math.round(own + childrenOf(pid).reduce((sum, child) => sum + memoryMiB(child), 0))
  } catch {
    return 0
  }
}

export const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
