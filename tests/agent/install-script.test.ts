import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { installScript } from '#domain/download/source-pages.ts'

const run = promisify(execFile)
const BUILD = 'console.log(JSON.stringify(process.argv.slice(2)))\n'
const build = (over = {}) => ({
  version: '1.0.0',
  release_time: 1,
  name: 'agent.mjs',
  bytes: BUILD.length,
  sha256: createHash('sha256').update(BUILD).digest('hex'),
  notes: '',
  src: '/api/v1/download/file?key=1',
  ...over,
})

let service: Server
let origin: string
let folder: string
beforeEach(async () => {
  service = createServer((request, response) => {
    response.statusCode = request.url === build().src ? 200 : 404
    response.end(BUILD)
  })
  await new Promise<void>((listening) => service.listen(0, '127.0.0.1', listening))
  origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  folder = await mkdtemp(join(tmpdir(), 'netloom-install-'))
})
afterEach(async () => {
  await new Promise((closed) => service.close(closed))
  await rm(folder, { recursive: true, force: true })
})

const install = (script: string, ...given: string[]) =>
  run('sh', ['-c', script, 'install.sh', '--prefix', join(folder, 'to'), ...given], {
    env: { ...process.env, HOME: folder },
  })
const installed = async (...given: string[]): Promise<string[]> => {
  const { stdout } = await run(join(folder, 'to/bin/netloom-client'), given, { env: { ...process.env, HOME: folder } })
  return JSON.parse(stdout) as string[]
}

describe('install.sh', () => {
  it('installs a command that signs in through the source', async () => {
    const { stdout } = await install(installScript(origin, build()), '--auth-source', 'K7Q2-9XTM')
    expect(stdout).toContain('已安装')
    const state = join(folder, '.local/state/netloom')
    const given = ['client', '--server', origin, '--state', state, '--auth-source', 'K7Q2-9XTM']
    expect(await installed('--logout')).toEqual([...given, '--logout'])
    expect(await readFile(join(folder, 'to/lib/netloom/client.mjs'), 'utf8')).toBe(BUILD)
    expect((await stat(state)).isDirectory()).toBe(true)
  })

  it('without an ID the name is given at each start', async () => {
    await install(installScript(origin, build()))
    expect(await installed('--name', 'a@b')).not.toContain('--auth-source')
  })

  it.each([
    ['a file that is not the one that was published', { sha256: '0'.repeat(64) }, [], '安装包校验失败'],
    ['a file that is gone', { src: '/gone' }, [], '下载失败'],
    ['an ID that is none', {}, ['--auth-source', '$(id)'], '认证源ID不正确'],
    ['an option that is none', {}, ['--evil'], '无法识别的参数'],
  ])('refuses %s', async (_, over, given, message) => {
    const failed = install(installScript(origin, build(over)), ...given)
    await expect(failed).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(message) as unknown })
    await expect(stat(join(folder, 'to/bin/netloom-client'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('says that nothing is published', async () => {
    await expect(install(installScript(origin, null))).rejects.toMatchObject({
      stderr: expect.stringContaining('暂未发布') as unknown,
    })
  })

  it('takes every text of the service as a word', async () => {
    const script = installScript(origin, build({ src: "/';touch evil;'" }))
    await expect(install(script)).rejects.toMatchObject({ stderr: expect.stringContaining('下载失败') as unknown })
    await expect(stat('evil')).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
