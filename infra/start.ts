import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { localSites } from '#domain/site/brand.ts'
import { messageOfError } from './agent/log.ts'
import { DEMO_PASSWORD } from './demo/data.ts'
import { describeDevice } from './demo/history/devices.ts'
import { loadHistory } from './demo/history/load.ts'
import { type ProvisionedDevice, loadDemo } from './demo/load.ts'
import { LAB_KEPT, LAB_TENANT, type LabTenant, openLabTenant } from './lab/tenant.ts'
import { buildConsole, buildWorker } from './local/build.ts'
import { callEndpoint } from './local/api.ts'
import { type DemoDirectory, describeDirectory, startDemoDirectory } from './local/demo-directory.ts'
import { type Fleet, startFleet } from './local/fleet.ts'
import { HANDBOOK_FOLDER, importHandbook } from './local/handbook.ts'
import { publishAgent } from './local/publish-agent.ts'
import { DATA, inData, inRoot, prepareData } from './local/paths.ts'
import { endCommands, memoryMiB } from './local/processes.ts'
import { writeRunLock, removeRunLock, requireRunLock } from './local/run-lock.ts'
import { endWithoutService } from './local/port-watch.ts'
import { HOST, type Runtime, freePort, isOpenToOthers, startRuntime } from './local/runtime.ts'
import { localSecrets } from './local/secrets.ts'

/**
 * `npm start`: builds what changed, starts the Worker with its hubs and database, loads the demo once, starts its routers.
 * Sign-in by WeCom, Feishu and DingTalk leads to pages of this machine. With `--fakes`, mail, SMS and robots go to local
 * servers that behave like the vendors’ (tests/support/fakes); with `--robots` only robots and webhooks do, and mail and
 * SMS stay in the outbox. `--mail directmail` and `--sms tencent` choose the other vendors of the fakes. With `--lab`, routers
 * in network namespaces of this machine are one more tenant, `lab001` (infra/docs/lab.md).
 */
const DEFAULT_PORT = 8787
const KEPT = ['state', 'agents', 'demo-directory', 'logs', 'demo.json', 'fleet.json', LAB_KEPT, 'running.json']

const { values: options } = parseArgs({
  options: {
    fresh: { type: 'boolean' },
    'no-demo': { type: 'boolean' },
    'no-agents': { type: 'boolean' },
    fakes: { type: 'boolean' },
    robots: { type: 'boolean' },
    lab: { type: 'boolean' },
    mail: { type: 'string', default: 'smtp' },
    sms: { type: 'string', default: 'aliyun' },
  },
})

const startedAt = performance.now()
let runtime: Runtime | undefined
let fleet: Fleet | undefined
let directory: DemoDirectory | null = null
let fakes: Awaited<ReturnType<typeof openFakes>> | undefined
let lab: Promise<LabTenant | null> | undefined
let stopping = false
onSignals()
await requireRunLock()
if (options.fresh) for (const name of KEPT) rmSync(inData(name), { recursive: true, force: true })
prepareData()

const wanted = Number(process.env['PORT'] ?? DEFAULT_PORT)
const port = await freePort(wanted)
if (port !== wanted) print(`Port ${wanted} is taken, using ${port}.`)

const secrets = localSecrets()
await buildConsole()
fakes = await openFakes(port + 1)
runtime = await startRuntime(await buildWorker(), port, secrets, {
  variables: fakes.bindings,
  onAway: () => endWithoutService({ print, stop, exit: process.exit }),
})
onSignals() // Miniflare's own handlers exit at once, before anything is stopped
const { url } = runtime
writeRunLock(url)

/** The agent is built and published for the download page while the demo loads. The console also works without it. */
const published = publishAgent(url, secrets.OPERATOR_TOKEN).catch((error: unknown) => {
  if (!stopping) print(`The agent was not published: ${messageOfError(error)}`)
})
const devices = options['no-demo'] ? [] : await demoDevices()
if (!options['no-demo'] && !stopping) {
  await importHandbook(HANDBOOK_FOLDER, (spec, input) =>
    callEndpoint(url, '/ops/v1', spec, input, secrets.OPERATOR_TOKEN),
  ).catch((error: unknown) => print(`The handbook was not imported: ${String(error)}`))
}
if (!options['no-agents'] && devices.length > 0 && !stopping) {
  directory = await startDemoDirectory('demo-directory').catch((error: unknown) => {
    print(`The directory of the demo was not started: ${messageOfError(error)}`)
    return null
  })
  fleet = startFleet(url, devices, directory?.targets)
}
await published
if (options.lab && !stopping) lab = startLab()
const labTenant = (await lab) ?? null
if (!stopping) print(greeting())

/** The lab's routers as one more tenant; null with a line that says why they cannot run here. */
function startLab(): Promise<LabTenant | null> {
  return openLabTenant({ origin: url, operatorToken: secrets.OPERATOR_TOKEN }).catch((error: unknown) => {
    if (!stopping) print(`The lab was not started: ${messageOfError(error)}`)
    return null
  })
}

async function openFakes(from: number) {
  const { startFakes, startRobots, startSignIn } = await import('#tests/support/fakes/start.ts')
  const startSome = options.robots ? startRobots : startSignIn
  if (!options.fakes) return { ...(await startSome(await freePort(from))), readMail: undefined }
  const started = await startFakes(await freePort(from))
  const bindings = { ...started.bindings, MAIL_PROVIDER: options.mail, SMS_PROVIDER: options.sms }
  return { ...started, bindings, readMail: (to: string) => started.arrivals.awaitText(options.mail, to) }
}

async function demoDevices(): Promise<ProvisionedDevice[]> {
  const file = inData('demo.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as ProvisionedDevice[]
  const image = new File([readFileSync(inRoot('infra', 'docs', 'topology.png'))], 'topology.png')
  const loaded = await loadDemo(url, secrets.OPERATOR_TOKEN, {
    image,
    readMail: fakes?.readMail,
    hasVendors: true,
  }).catch((error: unknown) => {
    if (stopping) return new Promise<never>(() => {}) // the process is about to end
    throw error
  })
  if (!options['no-agents'] && !stopping) {
    const described = await Promise.all(loaded.map(describeDevice))
    await loadHistory(url, secrets.OPERATOR_TOKEN, described).catch((error: unknown) => {
      if (!stopping) print(`The demo has no history: ${messageOfError(error)}`)
    })
  }
  writeFileSync(file, JSON.stringify(loaded), { mode: 0o600 })
  return loaded
}

function onSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.removeAllListeners(signal)
    process.on(signal, () => void stop())
  }
}

async function stop(exitCode = 0): Promise<void> {
  if (stopping) return
  stopping = true
  endCommands() // a build that is running
  await runtime?.stop().catch(() => {}) // runtime first: hubs see a deploy, not forty routers that close and turn offline
  await fleet?.stop()
  const opened = await lab // also one that is being opened, so that nothing of it is made later
  await opened?.close().catch((error: unknown) => print(`The lab was not removed: ${messageOfError(error)}`))
  await fakes?.close()
  await directory?.close()
  removeRunLock()
  process.exit(exitCode)
}

function greeting(): string {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const login = (name: string, what: string) => `    ${name.padEnd(14)} ${DEMO_PASSWORD}   ${what}`
  return [
    '',
    `  Netloom   ${url}`,
    ...localSites().map(({ hostname, title }) => `            http://${hostname}:${port}   ${title}`),
    ...(isOpenToOthers
      ? [`  HOST=${HOST}: whoever reaches this address can read captchas and codes in the outbox.`]
      : []),
    '',
    ...(options['no-demo']
      ? []
      : [
          login('demo01', 'main account'),
          login('ops@demo01', 'sub-account, every right'),
          login('branch@demo01', 'sub-account, one network'),
          login('demo02', 'another tenant'),
        ]),
    ...(labTenant ? [login(LAB_TENANT, 'tenant of the lab, its routers in network namespaces')] : []),
    ...(options['no-demo'] && !labTenant ? [] : ['']),
    options.fakes
      ? `    mails, SMS, robots     ${fakes?.url} (captchas ${url}/__local/outbox)`
      : `    captchas, SMS, mails   ${url}/__local/outbox`,
    `    WeCom, Feishu, DingTalk ${fakes?.url} (sign-in by auth sources)`,
    ...(options.robots && fakes ? [`    robots, webhooks       ${fakes.url}`] : []),
    `    UI kit                 ${url}/__local/kit`,
    '    operator               npm run ops',
    `    data                   ${DATA} (npm start -- --fresh begins anew)`,
    ...(labTenant ? [`    hosts of the lab       ${labTenant.entrance}`] : []),
    ...(directory
      ? [
          '',
          '  A directory behind routers of demo01 (LDAP接入, 内网)',
          `  hardware member   ${devices.flatMap(({ serial, runs }) => (runs === 'real' ? [serial] : [])).join(', ')}`,
          describeDirectory(directory),
        ]
      : []),
    '',
    `  Ready in ${seconds} s, ${memoryMiB(process.pid)} MiB with all routers. Ctrl-C stops everything.`,
    '',
  ].join('\n')
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
