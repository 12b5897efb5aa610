import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { run } from '#infra/local/processes.ts'
import { sideScroll, startSession, useBrowserHarness, WIDTHS } from './browser-harness.ts'
import { useDevices } from './devices.ts'

const { origin, visitor } = useBrowserHarness()
const { newAccount } = useDevices(origin)
const folder = mkdtempSync(join(tmpdir(), 'netloom-download-'))
const children: ReturnType<typeof spawn>[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

it('a visitor downloads the agent of this checkout, and it runs as a member', async () => {
  const page = await visitor({ width: WIDTHS.phone, theme: 'dark' })
  await page.goto('/download')
  const linux = page.getByRole('region', { name: 'Linux' })
  await linux.getByRole('button', { name: '选择版本' }).click()
  const dialog = page.getByRole('dialog', { name: 'Linux 客户端' })
  await dialog.getByRole('button', { name: '图形面板' }).click()
  await dialog.getByText('暂未发布').waitFor()
  await dialog.getByRole('button', { name: '命令行' }).click()
  expect(await sideScroll(page)).toBeLessThanOrEqual(0)
  const link = dialog.getByRole('link', { name: '下载 Linux 客户端' })
  const arriving = page.waitForEvent('download')
  await link.click()
  const download = await arriving
  expect(download.suggestedFilename()).toMatch(/^network-agent-.*\.mjs$/)
  const file = join(folder, download.suggestedFilename())
  await download.saveAs(file)
  const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex')
  expect(await dialog.getByText(sha256).count()).toBe(1)

  const src = (await link.getAttribute('href')) ?? ''
  const part = await fetch(origin + src, { headers: { range: 'bytes=10-19' } })
  const bytes = new Uint8Array(await part.arrayBuffer())
  expect([part.status, part.headers.get('content-length')]).toEqual([206, '10'])
  expect(bytes).toEqual(new Uint8Array(readFileSync(file)).slice(10, 20))

  const help = await run(process.execPath, [file, '--help'], { cwd: folder })
  expect(help).toMatchObject({ code: 0, output: expect.stringContaining('node network-agent-') })
  const { claim } = await newAccount()
  const { serial, code } = await claim('NL-DL-', 1, '下载的客户端')
  const args = [file, '--server', origin, '--serial', serial, '--state', join(folder, 'state'), '--code-file', '-']
  const agent = spawn(process.execPath, args, { cwd: folder, stdio: 'pipe' })
  children.push(agent)
  agent.stdin.end(code)
  let log = ''
  agent.stdout.on('data', (data: Buffer) => (log += data.toString()))
  agent.stderr.on('data', (data: Buffer) => (log += data.toString()))
  await expect.poll(() => log).toContain('connected (epoch')
})

it('a new account sees what to do next, and what it dismisses stays away from its other browsers', async () => {
  const { username, claim } = await newAccount()
  const page = await visitor()
  await startSession(page, origin, username)
  await page.goto('/dashboard')
  const steps = page.getByRole('region', { name: /^开始使用/ })
  await steps.getByRole('button', { name: '跳过添加成员' }).click()
  await steps.getByRole('button', { name: '恢复添加成员' }).waitFor()
  await page.reload()
  await steps.getByRole('button', { name: '恢复添加成员' }).waitFor()

  await claim('NL-FR-', 1, '总部')
  await page.reload()
  const claimed = steps.getByRole('listitem').filter({ hasText: '认领硬件' })
  await claimed.getByText('已完成').waitFor({ state: 'attached' })

  const other = await visitor({ width: WIDTHS.phone })
  await startSession(other, origin, username)
  await other.goto('/dashboard')
  const there = other.getByRole('region', { name: /^开始使用/ })
  await there.getByRole('button', { name: '恢复添加成员' }).waitFor()
  expect(await sideScroll(other)).toBeLessThanOrEqual(0)
  await there.getByRole('button', { name: '不再显示' }).click()
  await there.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('region', { name: '成员', exact: true }).waitFor()
  expect(await steps.count()).toBe(0)
})
