import { mkdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleWorker } from '#infra/local/build.ts'
import { inRoot } from '#infra/local/paths.ts'
import { writePublicRoots } from '#infra/local/public-roots.ts'
import { writeRunLock } from '#infra/local/run-lock.ts'
import { startRuntime } from '#infra/local/runtime.ts'
import { localSecrets } from '#infra/local/secrets.ts'

/**
 * `<entry> [--inspector <port>] [--v8-flags <flags>]`: the local stack with this Worker, until the bench sends a signal.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { inspector: { type: 'string' }, 'v8-flags': { type: 'string', default: '' } },
})
const [entry = ''] = positionals
if (values['v8-flags']) process.env['MINIFLARE_WORKERD_V8_FLAGS'] = values['v8-flags']
writePublicRoots()
mkdirSync(inRoot('dist'), { recursive: true }) // the folder of assets has to exist, although the console is not requested
const bundle = inRoot('.wrangler/bench', basename(entry).replace(/ts$/, 'js')) // a module has to be in the Worker's folder
await bundleWorker(dirname(bundle), entry)
const inspector = values.inspector === undefined ? {} : { inspectorPort: Number(values.inspector) }
const onAway = () => process.exit(1)
const runtime = await startRuntime(bundle, Number(process.env['PORT']), localSecrets(), { ...inspector, onAway })
writeRunLock(runtime.url)
process.once('SIGTERM', () => void runtime.stop().then(() => process.exit(0)))
process.stdout.write('Ready in\n')
