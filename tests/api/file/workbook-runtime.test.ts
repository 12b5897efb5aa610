import { describe, expect, it } from 'vitest'
import { Refusal } from '#contract/kernel/errors.ts'
import { readWorkbook, createWorkbookStream } from '#features/workbook/service.ts'
import { readShown } from '#tests/support/workbooks.ts'
import { forgeZip, sheetXml, workbookEntries } from '#tests/support/zip-builder.ts'

// The rules are tested in tests/unit/workbook; here, that workerd's zlib and streams behave as Node's do.

describe('design 2 · workbooks inside workerd', () => {
  it('written as a stream, read behind the guard', async () => {
    const rows = Array.from({ length: 2_000 }, (_, i) => [`成员${i}`, '=1+1', i])
    const columns = [{ header: '名称' }, { header: '公式' }, { header: '序号' }]
    const stream = createWorkbookStream({ sheetName: '成员', columns, rows })
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer())
    expect(await readShown(bytes)).toEqual([['名称', '公式', '序号'], ...rows.map((row) => row.map(String))])
  })
  it('in other encodings and with ZIP64 fields, read', async () => {
    const [, , , , sheet] = workbookEntries()
    const text = `\ufeff${String(sheet?.data)}`
    for (const data of [Buffer.from(text), Buffer.from(text, 'utf16le'), Buffer.from(text, 'utf16le').swap16()]) {
      const bytes = forgeZip(workbookEntries({ data, zip64: true, descriptor: 'long' }), { zip64: true, comment: 'a' })
      expect(await readShown(bytes)).toEqual([['姓名']])
    }
  })
  it.each([
    ['a declared size that is too small', { data: sheetXml(' '.repeat(20 * 2 ** 20)), size: 100 }],
    ['a wrong CRC', { crc: 1 }],
    ['broken deflate', { data: 'x', stored: true, method: 8 }],
  ])('%s is refused', async (_, sheet) => {
    await expect(readWorkbook(forgeZip(workbookEntries(sheet)))).rejects.toThrow(Refusal)
  })
})
