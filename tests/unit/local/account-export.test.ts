import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { opsApi } from '#contract/ops/index.ts'
import { exportAccount } from '#infra/local/account-export.ts'
import type { Call } from '#infra/local/api.ts'

const KEY = 'a'.repeat(32)
const GONE = 'b'.repeat(32)
const TABLES: Readonly<Record<string, readonly object[]>> = {
  routers: [{ id: 1 }, { id: 2 }, { id: 3 }],
  files: [{ key: KEY }, { key: GONE }],
}

let to = ''
let asked: string[] = []
beforeEach(() => {
  to = mkdtempSync(join(tmpdir(), 'export-'))
  asked = []
})
afterEach(() => rmSync(to, { recursive: true, force: true }))

/** The operator's calls: one row on a page. `failAt` is a call that fails. */
function answers(failAt = ''): Call {
  const answer = (path: string, input: Record<string, string | number>): unknown => {
    asked.push([path, input['table'] ?? input['kind'], input['after']].filter((part) => part !== undefined).join(' '))
    if (asked.at(-1) === failAt) throw new Error('connection lost')
    if (path === opsApi.accountExport.path)
      return { account_id: 7, tables: Object.entries(TABLES).map(([name, rows]) => ({ name, rows: rows.length })) }
    if (path === opsApi.accountExportSeries.path) return { series: [{ kind: input['kind'] }], next: null }
    const at = Number(String(input['after'] ?? '0:0').split(':')[1])
    const rows = TABLES[String(input['table'])] ?? []
    return { rows: rows.slice(at, at + 1), next: at + 1 < rows.length ? `0:${at + 1}` : null }
  }
  return async (spec, input) => answer(spec.path, input as Record<string, string | number>) as never
}

const run = (call = answers(), account = 'company01') =>
  exportAccount({
    account,
    to,
    call,
    file: async (key) => (key === GONE ? null : new Response('bytes')),
    line: () => {},
  })
const read = (path: string) => readFileSync(join(to, path), 'utf8')
const manifest = () =>
  JSON.parse(read('manifest.json')) as { files: { path: string; sha256: string; lines?: number }[] }

describe('account-export', () => {
  it('writes a file for each table and kind of hub, the files, and a manifest with their hashes', async () => {
    await run()
    expect(read('tables/routers.ndjson')).toBe('{"id":1}\n{"id":2}\n{"id":3}\n')
    expect(read('hubs/network.ndjson')).toBe('{"kind":"network"}\n')
    expect([read(`files/${KEY}`), read(`files/${GONE}`)]).toEqual(['bytes', ''])
    const { files, ...head } = manifest()
    expect(head).toEqual({
      account: 'company01',
      account_id: 7,
      begun_at: expect.any(String),
      finished_at: expect.any(String),
    })
    expect(files.map(({ path, lines }) => [path, lines])).toEqual([
      ['tables/files.ndjson', 2],
      ['tables/routers.ndjson', 3],
      ['hubs/account.ndjson', 1],
      ['hubs/network.ndjson', 1],
      ['hubs/router.ndjson', 1],
      [`files/${KEY}`, undefined],
      [`files/${GONE}`, undefined],
    ])
    for (const { path, sha256 } of files) expect(sha256).toBe(createHash('sha256').update(read(path)).digest('hex'))
    expect(statSync(join(to, 'tables')).mode & 0o077).toBe(0)
    expect(statSync(join(to, 'tables/routers.ndjson')).mode & 0o077).toBe(0)
  })

  it('goes on where it was interrupted, without half a file', async () => {
    await expect(run(answers('account/export_series network 0'))).rejects.toThrow('connection lost')
    expect(existsSync(join(to, 'manifest.json'))).toBe(false)
    expect(readdirSync(join(to, 'hubs')).filter((name) => !name.endsWith('.part'))).toEqual(['router.ndjson'])
    asked = []
    await run()
    expect(asked).toEqual(['account/export', 'account/export_series network 0', 'account/export_series account 0'])
    expect(manifest().files).toHaveLength(7)
    expect(readdirSync(join(to, 'hubs')).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  it('a page that fails leaves no row twice', async () => {
    await expect(run(answers('account/export_rows routers 0:2'))).rejects.toThrow('connection lost')
    await run()
    expect(read('tables/routers.ndjson')).toBe('{"id":1}\n{"id":2}\n{"id":3}\n')
  })

  it('refuses a folder with a complete export, with another account’s, or with anything else', async () => {
    await expect(run(answers('account/export_series network 0'))).rejects.toThrow('connection lost')
    await expect(run(answers(), 'company02')).rejects.toThrow('holds no export of company02')
    await run()
    await expect(run()).rejects.toThrow('holds a complete export')
    rmSync(to, { recursive: true })
    await run()
    rmSync(to, { recursive: true })
    to = mkdtempSync(join(tmpdir(), 'export-'))
    writeFileSync(join(to, 'notes.txt'), '')
    await expect(run()).rejects.toThrow('is not empty')
  })
})
