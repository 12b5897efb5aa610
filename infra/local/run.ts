import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'

export interface Finished {
  readonly code: number
  readonly output: string
}

const running = new Set<ChildProcess>()

/** Ends every command that is still running. */
export const endCommands = (): void => running.forEach((child) => child.kill('SIGTERM'))

/** Runs a command and captures its output; `show` prints it too. */
export function run(
  command: string,
  args: readonly string[],
  options: SpawnOptions & { show?: boolean } = {},
): Promise<Finished> {
  const { show = false, ...spawnOptions } = options
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...spawnOptions, stdio: ['ignore', 'pipe', 'pipe'] })
    running.add(child)
    let output = ''
    const keep = (stream: NodeJS.WriteStream) => (chunk: Buffer) => {
      output += chunk.toString()
      if (show) stream.write(chunk)
    }
    child.stdout?.on('data', keep(process.stdout))
    child.stderr?.on('data', keep(process.stderr))
    child.on('error', (error) => resolve({ code: 127, output: String(error) }))
    child.on('close', (code) => {
      running.delete(child)
      resolve({ code: code ?? 1, output })
    })
  })
}
