import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { type Build, LINUX_DISTRIBUTIONS, type Versions } from '#contract/download/index.ts'
import { DownloadPage } from '#pages/download/download-page.tsx'
import { ownPlatform } from '#pages/download/platform-text.ts'
import { openPage } from '../network/open-page.tsx'

const build = (over: Partial<Build> = {}): Build => ({
  version: '1.2.0',
  release_time: Date.parse('2026-11-20T02:00:00Z'),
  name: 'client.msi',
  bytes: 12_582_912,
  sha256: 'ab'.repeat(32),
  notes: '修复重连\n<b>第二行</b>',
  src: '/api/v1/download/file?key=k',
  ...over,
})
const noLinux = Object.fromEntries(LINUX_DISTRIBUTIONS.map((name) => [name, null])) as Versions['linux']['panel']
const NONE: Versions = {
  windows: null,
  macOS: null,
  android: null,
  iOS: null,
  harmonyos: null,
  linux: { panel: noLinux, command: noLinux },
}
const open = (versions: Partial<Versions>) =>
  openPage(<DownloadPage />, '/download', { 'download/versions': { data: { ...NONE, ...versions } } })
const cardOf = async (name: string) => within(await screen.findByRole('region', { name }))

describe('directory 2 · client download page', () => {
  it('has a card for each platform, which says 暂未发布 where there is no build', async () => {
    open({})
    expect(await screen.findAllByText('暂未发布')).toHaveLength(6)
    const cards = screen.getAllByRole('region').map((card) => card.getAttribute('aria-label'))
    expect(cards).toEqual(['Windows', 'macOS', 'Android', 'iOS', 'Linux', 'Harmony OS'])
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('says on four of them how to connect today, and leads to the page of software members', async () => {
    open({ windows: build() })
    await screen.findAllByText('暂未发布')
    const links = screen.getAllByRole('link', { name: /^登录并下载/ })
    expect(links.map((link) => [link.getAttribute('aria-label'), link.getAttribute('href')])).toEqual(
      ['Windows', 'macOS', 'Android', 'iOS'].map((name) => [`登录并下载接入配置（${name}）`, '/client']),
    )
  })

  it('shows version, date, size, digest and notes as text, and saves the file under its name', async () => {
    open({ windows: build() })
    const card = await cardOf('Windows')
    expect(await card.findByText('1.2.0')).not.toBeNull()
    for (const text of ['2026-11-20 10:00:00', '12 MB', 'ab'.repeat(32)]) expect(card.getByText(text)).not.toBeNull()
    expect(card.getByText(/<b>第二行<\/b>/).textContent).toBe('修复重连\n<b>第二行</b>')
    const link = card.getByRole('link', { name: '下载 Windows 客户端' })
    expect([link.getAttribute('href'), link.getAttribute('download')]).toEqual([
      '/api/v1/download/file?key=k',
      'client.msi',
    ])
    expect(card.getByRole('button', { name: /复制SHA-256/ })).not.toBeNull()
  })

  it('asks of Linux for version and application platform: by default the panel for CentOS', async () => {
    const panel = { ...noLinux, centos: build({ name: 'panel.rpm', src: '/panel' }) }
    open({ linux: { panel, command: noLinux } })
    await userEvent.click(await screen.findByRole('button', { name: '选择版本' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Linux 客户端' }))
    expect(dialog.getByRole('button', { name: '图形面板' }).getAttribute('aria-pressed')).toBe('true')
    expect(dialog.getByText('CentOS')).not.toBeNull()
    expect(dialog.getByRole('link', { name: '下载 Linux 客户端' }).getAttribute('href')).toBe('/panel')
  })

  it('begins with the command line of Linux where only that has a build', async () => {
    const agent = build({ name: 'agent.mjs', src: '/agent' })
    open({ linux: { panel: noLinux, command: { ...noLinux, centos: agent, ubuntu: agent } } })
    await userEvent.click(await screen.findByRole('button', { name: '选择版本' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Linux 客户端' }))
    expect(dialog.getByRole('link', { name: '下载 Linux 客户端' }).getAttribute('href')).toBe('/agent')
    await userEvent.click(dialog.getByRole('button', { name: '图形面板' }))
    expect(dialog.getByText('暂未发布')).not.toBeNull()
    expect(dialog.queryByText('可以选择命令行版本')).not.toBeNull()
    expect(dialog.queryByRole('link')).toBeNull()
  })

  it('can be read again where that failed', async () => {
    const { api } = openPage(<DownloadPage />, '/download', { 'download/versions': { code: 500, msg: '系统异常' } })
    await screen.findByRole('alert')
    api.set('download/versions', { data: NONE })
    await userEvent.click(screen.getByRole('button', { name: '重试' }))
    expect(await screen.findAllByText('暂未发布')).toHaveLength(6)
  })
})

it.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 0, 'windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 0, 'macOS'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 5, 'iOS'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)', 5, 'iOS'],
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9)', 5, 'android'],
  ['Mozilla/5.0 (Linux; Android 12; HarmonyOS; ALN)', 5, 'harmonyos'],
  ['Mozilla/5.0 (Phone; OpenHarmony 5.0)', 5, 'harmonyos'],
  ['Mozilla/5.0 (X11; Linux x86_64)', 0, 'linux'],
  ['curl/8', 0, null],
])('%s is of %s: %s', (userAgent, touchPoints, platform) => {
  expect(ownPlatform(userAgent, touchPoints)).toBe(platform)
})
