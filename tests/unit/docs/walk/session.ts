import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/* One shell that stays open, in which the blocks of a guide run one after the other. */

export interface Session {
  /** Runs a block; its output. Throws with the output where a command fails. */
  run(script: string, answers: Readonly<Record<string, string>>): Promise<string>
  end(): void
}

const DONE = '@@done'

export function openSession(folder: string, cwd: string, env: Readonly<Record<string, string | undefined>>): Session {
  const shell = spawn('bash', ['--noprofile', '--norc'], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] })
  let number = 0
  let onEnd: (isDone: boolean) => void = () => {}
  shell.stdout.on('data', (chunk: Buffer) => chunk.toString().includes(DONE) && onEnd(true))
  shell.on('close', () => onEnd(false))
  shell.stdin.write('set -eo pipefail\n')
  return {
    async run(script, answers) {
      const file = join(folder, `block-${number++}`)
      const asked = [...script.matchAll(/\bread -rs (\w+)/g)].map(([, name = '']) => answers[name] ?? `typed-${name}`)
      writeFileSync(`${file}.sh`, `${script}\n`)
      writeFileSync(`${file}.answers`, asked.map((line) => `${line}\n`).join(''))
      const ended = new Promise<boolean>((resolve) => (onEnd = resolve))
      shell.stdin.write(`. '${file}.sh' < '${file}.answers' > '${file}.out' 2>&1\necho ${DONE}\n`)
      const isDone = await ended
      const output = readFileSync(`${file}.out`, 'utf8')
      if (!isDone) throw new Error(`${script}\n---\n${output}`)
      return output
    },
    end: () => void shell.kill(),
  }
}
