import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

/** Help of a command, which asks no server. */
const help = async (...words: readonly string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, ['infra/ops.ts', ...words, '--help'])).stdout

it.each([[['rehome']], [['router', 'rehome']]])(
  'npm run ops -- %s takes a router, a place and --confirm',
  async (words) => {
    const text = await help(...words)
    for (const part of ['--router', '--place', '--confirm', 'apac', 'weur', 'eu']) expect(text).toContain(part)
  },
)
