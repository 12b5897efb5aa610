import { createHash } from 'node:crypto'
import {
  appendFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HUB_KINDS } from '#contract/kernel/hubs.ts'
import { opsApi } from '#contract/ops/index.ts'
import type { Call } from './api.ts'

/*
 * Export of an account to a folder: rows by table and records of hubs as lines of JSON, files, and a manifest with sizes and
 * hashes. An interrupted export goes on where it is begun again, without the files that are complete.
 */

interface Export {
  readonly account: string
  /** Folder that is new, empty, or that of an interrupted export of this account. */
  readonly to: string
  readonly call: Call
  /** Bytes of a file by its key; null for one that was deleted since its row was read. */
  readonly file: (key: string) => Promise<Pick<Response, 'body'> | null>
  readonly line: (text: string) => void
}

interface Begun {
  readonly account: string
  readonly account_id: number
  readonly begun_at: string
}

const BEGUN = 'export.json'
const MANIFEST = 'manifest.json'
const PART = '.part'

export async function exportAccount({ account, to, call, file, line }: Export): Promise<void> {
  if (to === '') throw new Error('--to: needs a folder')
  checkFolder(to, account)
  const { account_id, tables } = await call(opsApi.accountExport, { account })
  const begun = begin(to, { account, account_id, begun_at: new Date().toISOString() })
  for (const { name } of tables) {
    const path = await complete(to, join('tables', `${name}.ndjson`), (part) =>
      writePages(part, (after: string | null) =>
        call(opsApi.accountExportRows, { account, table: name, ...(after !== null && { after }) }).then(
          ({ rows, next }) => ({ lines: rows, next }),
        ),
      ),
    )
    line(path)
  }
  for (const kind of HUB_KINDS) {
    const path = await complete(to, join('hubs', `${kind}.ndjson`), (part) =>
      writePages(part, (after: number | null) =>
        call(opsApi.accountExportSeries, { account, kind, after: after ?? 0 }).then(({ series, next }) => ({
          lines: series,
          next,
        })),
      ),
    )
    line(path)
  }
  for (const key of readKeys(join(to, 'tables', 'files.ndjson')))
    line(await complete(to, join('files', key), (part) => saveFile(part, () => file(key))))
  writeJson(join(to, MANIFEST), { ...begun, finished_at: new Date().toISOString(), files: await listFiles(to) })
  line(MANIFEST)
}

/** Refuses a folder with anything but an interrupted export of this account. */
function checkFolder(to: string, account: string): void {
  if (!existsSync(to) || readdirSync(to).length === 0) return
  if (existsSync(join(to, MANIFEST))) throw new Error(`${to}: holds a complete export, choose another folder`)
  const begun = existsSync(join(to, BEGUN)) ? (JSON.parse(readFileSync(join(to, BEGUN), 'utf8')) as Begun) : null
  if (begun?.account !== account) throw new Error(`${to}: is not empty, and holds no export of ${account}`)
}

/** Notes once for which account the folder is. Others of this machine read nothing of it. */
function begin(to: string, given: Begun): Begun {
  for (const folder of ['.', 'tables', 'hubs', 'files']) mkdirSync(join(to, folder), { recursive: true, mode: 0o700 })
  const path = join(to, BEGUN)
  if (!existsSync(path)) writeJson(path, given)
  return JSON.parse(readFileSync(path, 'utf8')) as Begun
}

/** Writes a file under another name until it is complete; one that is complete stays. */
async function complete(to: string, path: string, write: (part: string) => Promise<void>): Promise<string> {
  const [target, part] = [join(to, path), join(to, path + PART)]
  if (existsSync(target)) return path
  rmSync(part, { force: true })
  writeFileSync(part, '', { mode: 0o600 })
  await write(part)
  renameSync(part, target)
  return path
}

interface Page<Cursor> {
  readonly lines: readonly object[]
  readonly next: Cursor | null
}

async function writePages<Cursor>(part: string, read: (after: Cursor | null) => Promise<Page<Cursor>>): Promise<void> {
  let after: Cursor | null = null
  do {
    const { lines, next }: Page<Cursor> = await read(after)
    appendFileSync(part, lines.map((each) => `${JSON.stringify(each)}\n`).join(''))
    after = next
  } while (after !== null)
}

/** A deleted file stays empty. */
async function saveFile(part: string, read: () => ReturnType<Export['file']>): Promise<void> {
  const response = await read()
  if (response?.body) await writeFile(part, response.body)
}

const readKeys = (path: string): readonly string[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => String((JSON.parse(text) as { key: unknown }).key))

async function listFiles(to: string) {
  const paths = ['tables', 'hubs', 'files'].flatMap((folder) =>
    readdirSync(join(to, folder))
      .toSorted()
      .map((name) => join(folder, name)),
  )
  return Promise.all(
    paths.map(async (path) => ({ path, ...(await describe(join(to, path), path.endsWith('.ndjson'))) })),
  )
}

async function describe(path: string, isLines: boolean) {
  const hash = createHash('sha256')
  let lines = 0
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    for (const byte of chunk) if (byte === NEWLINE) lines += 1
  }
  return { bytes: statSync(path).size, ...(isLines && { lines }), sha256: hash.digest('hex') }
}
const NEWLINE = 10

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
}
