import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { WORKBOOK } from '#contract/kernel/limits.ts'
import { routerApi } from '#contract/router/index.ts'
import { routers } from '#db/schema/routers.ts'
import { type Caller, createMainAccount, selectAudits, unique } from '#tests/support/fixtures.ts'
import { insertSoftwareRouters } from '#tests/support/rows.ts'
import { db } from '#tests/support/test-worker.ts'
import { type ForgedEntry, forgeZip, sheetXml, workbookEntries } from '#tests/support/zip-builder.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const NO_WORKBOOK = '文件格式不正确，请下载模板填写后另存为xlsx格式再上传'
const TOO_COMPLEX = '文件解压后过大，请将数据复制到新的模板中再上传'
const MACROS = '文件含有宏、控件或嵌入的文件，请将数据复制到新的模板中再上传'
const ENCRYPTED = '文件已加密，请取消打开密码后再上传'
const TOO_LARGE = '文件过大，请上传小于2MB的文件〜'

const cell = (reference: string, text: string) => `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`
/** Sheet that both calls accept: a header and one row, which names an existing member. */
const SHEET = sheetXml(
  `<row r="1">${cell('A1', '账号')}${cell('B1', '密码')}</row><row r="2">${cell('A2', 'kept')}${cell('B2', 'Weilai26')}</row>`,
)
const plus = (...entries: readonly ForgedEntry[]) => forgeZip([...workbookEntries({ data: SHEET }), ...entries])
const withSheet = (data: string, over: Partial<ForgedEntry> = {}) => forgeZip(workbookEntries({ data, ...over }))
const spaces = (bytes: number) => `${SHEET}${' '.repeat(bytes)}`

const FILES: Readonly<Record<string, readonly [content: () => Uint8Array, msg: string]>> = {
  'a bomb by its ratio': [() => withSheet(spaces(1_000_000)), TOO_COMPLEX],
  'a bomb by the sum of its parts': [
    () => plus(...[1, 2, 3].map((n) => ({ name: `xl/media/${n}.png`, data: randomBytes(65_536), size: 6 * 2 ** 20 }))),
    TOO_COMPLEX,
  ],
  'a bomb that declares little': [() => withSheet(spaces(1_000_000), { size: 50_000 }), NO_WORKBOOK],
  'more than 10,000 entries': [
    () => plus(...Array.from({ length: WORKBOOK.partsMax }, (_, n) => ({ name: `x/${n}`, data: 'a', stored: true }))),
    TOO_COMPLEX,
  ],
  'a password': [() => withSheet(SHEET, { flags: 1 }), ENCRYPTED],
  'a macro': [() => plus({ name: 'xl/vbaProject.bin', data: 'Attribute VB_Name' }), MACROS],
  'a workbook within': [() => plus({ name: 'xl/embeddings/a.xlsx', data: 'PK' }), MACROS],
  entities: [() => withSheet(`<!DOCTYPE a [<!ENTITY b "b">]>${SHEET}`), NO_WORKBOOK],
  'the magic bytes of another type': [() => new TextEncoder().encode('%PDF-1.7 kept'), NO_WORKBOOK],
  'an old .xls': [() => Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), NO_WORKBOOK],
  text: [() => new TextEncoder().encode('账号,密码\nkept,Weilai26'), NO_WORKBOOK],
  'nothing in it': [() => new Uint8Array(), NO_WORKBOOK],
  '2 MB and a byte': [() => new Uint8Array(WORKBOOK.maxBytes + 1), TOO_LARGE],
}

const CALLS = { batch: routerApi.batch, batch_delete_file: routerApi.batchDeleteFile } as const

describe('network 5 · a hostile file', () => {
  describe.each(Object.entries(CALLS))('router/%s', (_, spec) => {
    let main: Caller
    beforeAll(async () => {
      const sign = unique('s')
      main = await createMainAccount({ services: { software_member: 5 }, sign })
      await insertSoftwareRouters(main.accountId, [`kept@${sign}`])
    })
    const send = (content: Uint8Array, name = 'members.xlsx') =>
      main.call(spec, { file: new File([content as Uint8Array<ArrayBuffer>], name) })

    it('refuses each file and does nothing', async () => {
      const offenders = await findOffenders(Object.entries(FILES))(async (_name, [content, msg]) => {
        expect(await send(content())).toMatchObject({ code: 422, msg, data: { field: 'file' } })
        expect(await db.select().from(routers).where(eq(routers.accountId, main.accountId))).toHaveLength(1)
        expect(await selectAudits(main.accountId)).toEqual([])
      })
      expect(offenders).toEqual([])
    })

    it('refuses another name than .xlsx', async () => {
      expect(await send(withSheet(SHEET), 'members.csv')).toMatchObject({
        code: 422,
        msg: '文件格式不正确',
        data: { field: 'file' },
      })
    })

    it('reads the same workbook without forgery', async () => {
      expect(await send(withSheet(SHEET))).toMatchObject({
        code: 200,
        data: { result: [{ row: 2, router_name: 'kept' }] },
      })
    })
  })
})
