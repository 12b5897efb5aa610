import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { unstable_readConfig as readConfig } from 'wrangler'
import { inRoot } from '#infra/local/paths.ts'
import { writeRunLock } from '#infra/local/run-lock.ts'
import { freePort, startRuntime } from '#infra/local/runtime.ts'
import { SECRETS } from './secrets.ts'

/** `<bundle before> <bundle after>`: serves both releases over one storage, until it is sent a signal. */
const [before = '', after = ''] = process.argv.slice(2)
/** A module has to be in the Worker's folder. */
const folder = inRoot('.wrangler/drill', String(process.pid))
mkdirSync(folder, { recursive: true })
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
mkdirSync(inRoot('dist'), { recursive: true }) // the folder of assets has to exist
const inFolder = (file: string) => join(folder, file)
const { durable_objects } = readConfig({ config: inRoot('wrangler.toml') })
const classes = durable_objects.bindings.map(({ class_name }: { class_name: string }) => class_name).join(', ')
copyFileSync(before, inFolder('before.js'))
copyFileSync(after, inFolder('after.js'))
const own = ['two-releases.ts', 'state.ts']
for (const file of own)
  writeFileSync(inFolder(file), stripTypeScriptTypes(readFileSync(inRoot('tests/release', file), 'utf8')))
writeFileSync(
  inFolder('index.js'),
  `${importOf('* as before', 'before.js')}
${importOf('* as after', 'after.js')}
${importOf('{ createDrill }', 'two-releases.ts')}
const drill = createDrill({ before, after })
export const { ${classes} } = drill
export default drill.handlers
`,
)
const port = await freePort(Number(process.env['PORT']))
const runtime = await startRuntime(inFolder('index.js'), port, SECRETS, {
  modules: ['before.js', 'after.js', ...own].map(inFolder),
  variables: { RESTART_SPREAD_S: process.env['RESTART_SPREAD_S'] ?? '45' },
  onAway: () => process.exit(1),
})
writeRunLock(runtime.url)
process.once('SIGTERM', () => void runtime.stop().then(() => process.exit(0)))
process.stdout.write('Ready in\n')

/** Import of a module beside it. */
function importOf(names: string, file: string): string {
  return ['import', names, 'from', `'./${file}'`].join(' ')
}
