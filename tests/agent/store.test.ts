import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemClock } from '#infra/agent/clock.ts'
import { openProber } from '#infra/agent/probe/prober.ts'
import { folderStore, memoryStore } from '#infra/agent/store.ts'
import { atEnd, closeAll } from './support/agents.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'netloom-store-'))
})
afterEach(async () => {
  await closeAll()
  await rm(folder, { recursive: true, force: true })
})

it('keeps a value readable by its owner only; the last save wins', async () => {
  const store = await folderStore(join(folder, 'state'))
  await Promise.all([store.save('a', 1), store.save('a', 2)])
  expect(await (await folderStore(join(folder, 'state'))).load('a')).toBe(2)
  expect((await stat(join(folder, 'state'))).mode & 0o777).toBe(0o700)
  expect((await stat(join(folder, 'state/a.json'))).mode & 0o777).toBe(0o600)
})

it('refuses a folder that others may write to', async () => {
  await chmod(folder, 0o777)
  await expect(folderStore(folder)).rejects.toThrow(`others may write to the state folder ${folder}`)
})

it('treats a missing file and invalid JSON as absent', async () => {
  const store = await folderStore(folder)
  await writeFile(join(folder, 'half.json'), '{"serial":"NL')
  expect([await store.load('none'), await store.load('half')]).toEqual([null, null])
})

it('throws on a read error: treated as absent, the key would be overwritten', async () => {
  await mkdir(join(folder, 'identity.json'))
  await expect((await folderStore(folder)).load('identity')).rejects.toThrow('EISDIR')
})

it('opens its probes although the port cannot be kept, and does not write what is kept already', async () => {
  const lines: string[] = []
  const full = { ...memoryStore(), save: () => Promise.reject(new Error('ENOSPC')) }
  const prober = await openProber(0, full, systemClock, (line) => lines.push(line))
  atEnd(() => prober.close())
  expect(prober.port).toBeGreaterThan(0)
  expect(lines).toEqual(['cannot keep the probe port: ENOSPC'])

  const kept = { ...full, load: async () => ({ port: prober.port + 1 }) }
  const again = await openProber(0, kept, systemClock, (line) => lines.push(line))
  atEnd(() => again.close())
  expect(lines).toHaveLength(1)
})
