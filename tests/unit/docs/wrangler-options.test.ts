import { readFileSync, writeFileSync } from 'node:fs'
import { expect, inject, it } from 'vitest'
import { inRoot } from '#infra/local/paths.ts'
import { run } from '#infra/local/processes.ts'
import { WRANGLER } from './wrangler.ts'

/*
 * The list of wrangler's commands and options by which guides are checked, against the installed wrangler. Its help takes a
 * second a command: WRANGLER_OPTIONS=write, or `npm test -- full`.
 */

const FILE = new URL('wrangler-options.json', import.meta.url)
const isWritten = process.env['WRANGLER_OPTIONS'] === 'write'
const { version } = JSON.parse(readFileSync('node_modules/wrangler/package.json', 'utf8')) as { version: string }

/** Options in a help text: `-y, --skip-confirmation  Skip confirmation`. */
const optionsIn = (text: string): readonly string[] =>
  [...text.matchAll(/^ +((?:--?[\w-]+)(?:, --?[\w-]+)*)(?= |$)/gm)].flatMap(([, names = '']) => names.split(', '))

async function readHelp(command: string): Promise<{ readonly global: string; readonly own: string }> {
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: 'true' }
  const args = [...command.split(' '), '--help']
  const { code, output } = await run(inRoot('node_modules/.bin/wrangler'), args, { env })
  const [, head = '', own = ''] = /^([\s\S]*?)\nOPTIONS\n([\s\S]*)$/.exec(output) ?? [output, output]
  if (code !== 0 || !output.startsWith(`wrangler ${command}`)) throw new Error(`wrangler ${command}: ${output}`)
  return { global: head.slice(head.indexOf('GLOBAL FLAGS')), own }
}

/** Programs that print their help at the same time. */
const AT_ONCE = 5

async function readOptions(): Promise<typeof WRANGLER.options> {
  const commands = Object.keys(WRANGLER.options).filter((name) => name !== '')
  const options: Record<string, readonly string[]> = {}
  for (let i = 0; i < commands.length; i += AT_ONCE) {
    const some = commands.slice(i, i + AT_ONCE)
    for (const [at, { global, own }] of (await Promise.all(some.map(readHelp))).entries()) {
      options[''] ??= optionsIn(global)
      options[some[at] ?? ''] = optionsIn(own)
    }
  }
  return options
}

it('the list is that of the installed wrangler', async () => {
  if (isWritten) writeFileSync(FILE, `${JSON.stringify({ version, options: await readOptions() }, null, 2)}\n`)
  expect(isWritten ? version : WRANGLER.version, 'WRANGLER_OPTIONS=write makes it anew').toBe(version)
})

it.runIf(inject('isFull'))('the list has the options that the help of each command names', async () => {
  expect(WRANGLER.options).toEqual(await readOptions())
})
