import { mkdtemp, readFile, readdir, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RouterDocument } from '../../worker/contract/router-document.ts'
import { filesDriver } from '../../infra/agent/drivers/files.ts'
import { CLIENT_LINK, KEY, network, routerDocument } from './support/documents.ts'

let folder: string
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'netloom-driver-'))))
afterEach(() => rm(folder, { recursive: true, force: true }))

const put = async (document: RouterDocument | null) => {
  const staged = await (await filesDriver(folder)).stage(document)
  await staged.apply()
  return staged.changed
}
const current = () => readdir(join(folder, 'current')).then((names) => names.toSorted())

describe('the files driver', () => {
  it('writes one JSON and a readable text for each network, without keys in the text', async () => {
    await put(routerDocument(network('N1', [CLIENT_LINK]), network('N2')))
    expect(await current()).toEqual(['network-N1.txt', 'network-N2.txt', 'router.json'])
    const text = await readFile(join(folder, 'current/network-N1.txt'), 'utf8')
    expect(text).toContain('client NL-C  to 192.0.2.9 port 5000')
    expect(text).toContain('100.64.0.2 in 100.64.0.0/20')
    expect(text).not.toContain(KEY)
    expect(JSON.parse(await readFile(join(folder, 'current/router.json'), 'utf8'))).toEqual(
      routerDocument(network('N1', [CLIENT_LINK]), network('N2')),
    )
    expect((await stat(join(folder, 'current/router.json'))).mode & 0o077).toBe(0)
  })

  it('changes nothing before apply', async () => {
    await put(routerDocument(network('N1')))
    const staged = await (await filesDriver(folder)).stage(routerDocument(network('N2')))
    expect(await current()).toEqual(['network-N1.txt', 'router.json'])
    expect(staged.changed).toEqual(['N1', 'N2'])
    await staged.apply()
    expect(await current()).toEqual(['network-N2.txt', 'router.json'])
  })

  it('names only changed networks and keeps the files of the others', async () => {
    await put(routerDocument(network('N1'), network('N2')))
    const before = await stat(join(folder, 'current/network-N1.txt'))
    expect(await put(routerDocument(network('N1'), network('N2', [], 'sm')))).toEqual(['N2'])
    expect((await stat(join(folder, 'current/network-N1.txt'))).ino).toBe(before.ino)
    expect(await put(routerDocument(network('N1'), network('N2', [], 'sm')))).toEqual([])
  })

  it('keeps one release only, also after interrupted stages', async () => {
    await put(routerDocument(network('N1')))
    await (await filesDriver(folder)).stage(routerDocument(network('N3')))
    await put(routerDocument(network('N2')))
    expect((await readdir(folder)).toSorted()).toEqual(['current', await readlink(join(folder, 'current'))].toSorted())
  })

  it('repairs manual changes', async () => {
    await put(routerDocument(network('N1')))
    await writeFile(join(folder, 'current/network-N1.txt'), 'mine')
    expect(await put(routerDocument(network('N1')))).toEqual(['N1'])
    expect(await readFile(join(folder, 'current/network-N1.txt'), 'utf8')).toContain('network N1')
  })

  it('removes everything for a null document', async () => {
    await put(routerDocument(network('N1')))
    expect(await put(null)).toEqual(['N1'])
    expect(await readdir(folder)).toEqual([])
  })
})
