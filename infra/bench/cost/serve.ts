import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { ROOT, inRoot } from '../../local/paths.ts'
import { writePublicRoots } from '../../local/public-roots.ts'
import { run } from '../../local/run.ts'
import { writeRunLock } from '../../local/run-lock.ts'
import { startRuntime } from '../../local/runtime.ts'
import { localSecrets } from '../../local/secrets.ts'

/** The local stack with the metered Worker in the product's place; the bench stops it by a signal. */
const ENTRY = 'infra/bench/cost/metered/worker.ts'

writePublicRoots()
mkdirSync(inRoot('dist'), { recursive: true }) // the console is not requested, but the assets' folder has to exist
const bundle = inRoot('.wrangler/bench/worker.js') // a module has to be in the Worker's folder
const { code, output } = await run('wrangler', ['deploy', ENTRY, '--dry-run', '--outdir', dirname(bundle)], {
  cwd: ROOT,
  env: { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: 'true' },
})
if (code !== 0) throw new Error(`The metered Worker does not build:\n${output}`)
const runtime = await startRuntime(bundle, Number(process.env['PORT']), localSecrets())
writeRunLock(runtime.url)
process.once('SIGTERM', () => void runtime.stop().then(() => process.exit(0)))
process.stdout.write('Ready in\n')
