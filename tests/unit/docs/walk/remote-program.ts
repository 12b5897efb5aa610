import { appendFileSync, existsSync } from 'node:fs'
import { basename } from 'node:path'

/* Programs of a walk that reach other machines: `scp` records its arguments, `curl` fetches from the recorder. */

const [, program = '', ...words] = process.argv
const last = words.at(-1) ?? ''
if (last.startsWith('https:')) {
  const response = await fetch(last)
  process.stdout.write(await response.text())
} else {
  const [source = '', target = ''] = words
  if (!existsSync(source) || !/^[\w.-]+:\//.test(target)) throw new Error(`scp: ${source} ${target}`)
  appendFileSync(process.env['RECORDED_COPIES'] ?? basename(program), `${words.join(' ')}\n`)
}
