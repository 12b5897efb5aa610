import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    origin: string
    data: string
    startPid: number
    /** Address of the fake robots and webhooks. */
    robots: string
    /** The company's directory of `npm start`; null where OpenLDAP is not installed. */
    directory: { readonly port: number; readonly ldapsPort: number; readonly caFile: string } | null
  }
}

const READY_MS = 300_000

/** Starts what `npm start` starts, demo and routers included, on data of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const data = mkdtempSync(join(tmpdir(), 'netloom-browser-'))
  const child = spawn(process.execPath, ['infra/start.ts', '--robots'], {
    env: { ...process.env, NETLOOM_DATA: data, PORT: '8830' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const keep = (chunk: Buffer) => (output += chunk.toString())
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const until = Date.now() + READY_MS
  while (!output.includes('Ready in')) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`npm start did not get ready:\n${output}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  const running = join(data, 'running.json')
  if (!existsSync(running)) throw new Error(`no ${running}`)
  project.provide('origin', (JSON.parse(readFileSync(running, 'utf8')) as { url: string }).url)
  project.provide('data', data)
  project.provide('startPid', child.pid ?? 0)
  project.provide('robots', /robots, webhooks +(\S+)/.exec(output)?.[1] ?? '')
  const [, plain, ldaps] = /port +(\d+), plain or StartTLS; (\d+), LDAPS/.exec(output) ?? []
  const caFile = /CA file +(\S+)/.exec(output)?.[1]
  const isKnown = plain !== undefined && ldaps !== undefined && caFile !== undefined
  project.provide('directory', isKnown ? { port: Number(plain), ldapsPort: Number(ldaps), caFile } : null)
  return async () => {
    child.kill('SIGTERM')
    await new Promise((resolve) => child.once('exit', resolve))
    rmSync(data, { recursive: true, force: true })
  }
}
