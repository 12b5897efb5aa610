import { describe, expect, it } from 'vitest'
import * as XLSX from 'xlsx'
import type { ErrorKey } from '#contract/kernel/errors.ts'
import { WORKBOOK } from '#contract/kernel/limits.ts'
import { readWorkbook } from '#features/workbook/service.ts'
import { type ForgedEntry, forgeZip, sheetXml, workbookEntries } from '#tests/support/zip-builder.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { readShown, refusalKey } from '#tests/support/workbooks.ts'

function written(rows: unknown[][], change: (sheet: XLSX.WorkSheet) => void = () => {}): Uint8Array {
  const sheet = XLSX.utils.aoa_to_sheet(rows)
  change(sheet)
  const book = XLSX.utils.book_new(sheet, '成员')
  return new Uint8Array(XLSX.write(book, { type: 'array', bookType: 'xlsx', compression: true }) as ArrayBuffer)
}

const plus = (entry: Partial<ForgedEntry> & { name: string }): ForgedEntry[] => [
  ...workbookEntries(),
  { data: '<a/>', ...entry },
]
const withSheet = (xml: string) => forgeZip(workbookEntries({ data: xml }))
const textCell = (reference: string, text: string) => `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
/** The smallest workbook with one row of cells and the number formats of its styles. */
const styledEntries = (xfs: readonly string[], cells: string): ForgedEntry[] => [
  ...workbookEntries({ data: sheetXml(`<row r="1">${cells}</row>`) }).map((entry) =>
    entry.name === 'xl/_rels/workbook.xml.rels'
      ? {
          ...entry,
          data: String(entry.data).replace(
            '</',
            `<Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></`,
          ),
        }
      : entry,
  ),
  {
    name: 'xl/styles.xml',
    data: `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs>${xfs.join('')}</cellXfs></styleSheet>`,
  },
]

describe('cells', () => {
  it('are read as displayed text', async () => {
    const rows = [
      ['姓名', '手机号码', '备注'],
      ['张三', 13_800_000_000, ' 两端 '],
      ['李四', 8_613_800_000_000, true],
      ['王五', '013800000000', -1.5],
    ]
    expect(await readShown(written(rows))).toEqual([
      ['姓名', '手机号码', '备注'],
      ['张三', '13800000000', '两端'],
      ['李四', '8613800000000', 'TRUE'],
      ['王五', '013800000000', '-1.5'],
    ])
  })
  it('keep their row and column; blanks at the end are dropped', async () => {
    const rows = [['a'], [], [null, null, 'c', '', null], ['', ' '], []]
    expect(await readShown(written(rows))).toEqual([['a'], [], ['', '', 'c']])
  })
  it('of dates and percents are readable', async () => {
    const bytes = written([[46_054, 46_054.5, 0.25]], (sheet) => {
      for (const [cell, format] of [
        ['A1', 'm/d/yy'],
        ['B1', 'yyyy/m/d h:mm'],
        ['C1', '0%'],
      ] as const)
        (sheet[cell] as XLSX.CellObject).z = format
    })
    expect(await readShown(bytes)).toEqual([['2026-02-01', '2026-02-01 12:00:00', '25%']])
  })
  it('of dates are those that the program shows', async () => {
    const dates: readonly (readonly [format: string, value: number, text: string])[] = [
      ['m/d/yy', 46_054, '2026-02-01'],
      ['yyyy\\-mm\\-dd', 46_054.75, '2026-02-01'],
      ['[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', 46_054, '2026-02-01'],
      ['yyyy/m/d h:mm', 46_054.5, '2026-02-01 12:00:00'],
      ['yyyy"年"m"月"d"日"', 46_054, '2026年2月1日'],
      ['[$-804]yyyy"年"m"月"d"日";@', 46_054.5, '2026年2月1日'],
      ['m"月"d"日"', 46_054, '2月1日'],
      ['h:mm', 0.5, '12:00:00'],
      ['[h]:mm', 1.5, '36:00'],
      ['mmm', 46_054, '2026-02-01'],
    ]
    for (const isDate1904 of [false, true]) {
      const offenders = await findOffenders(dates)(async (format, value, text) => {
        const days = isDate1904 && value > 2 ? value - 1_462 : value
        const sheet = XLSX.utils.aoa_to_sheet([[days]])
        ;(sheet['A1'] as XLSX.CellObject).z = format
        const book = XLSX.utils.book_new(sheet, '成员')
        if (isDate1904) book.Workbook = { WBProps: { date1904: true } }
        expect(await readShown(new Uint8Array(XLSX.write(book, { type: 'array' }) as ArrayBuffer))).toEqual([[text]])
      })
      expect(offenders).toEqual([])
    }
  })
  it('of dates in formats without a code are those of Chinese programs', async () => {
    const offenders = await findOffenders<readonly [number, string]>([
      [14, '2026-02-01'],
      [27, '2026年2月'],
      [30, '2026-02-01'],
      [31, '2026年2月1日'],
      [57, '2026年2月'],
      [58, '2月1日'],
    ])(async (id, text) => {
      const bytes = forgeZip(
        styledEntries([`<xf numFmtId="0"/>`, `<xf numFmtId="${id}"/>`], '<c r="A1" s="1"><v>46054</v></c>'),
      )
      expect(await readShown(bytes)).toEqual([[text]])
    })
    expect(offenders).toEqual([])
  })
  it('of integers have them in full beside what is shown, whatever the format', async () => {
    const formats = [
      'General',
      '0',
      '0.00E+00',
      '#,##0',
      '0.00_ ',
      '0.00',
      '0000',
      '[Red]0',
      '0_);[Red]\\(0\\)',
      '¥#,##0.00',
      'm/d/yy',
      '@',
      '0%',
      ';;;',
    ]
    const offenders = await findOffenders(formats)(async (format) => {
      const bytes = written([[13_800_000_001]], (sheet) => {
        ;(sheet['A1'] as XLSX.CellObject).z = format
      })
      expect((await readWorkbook(bytes))[0]?.[0]?.value).toBe('13800000001')
    })
    expect(offenders).toEqual([])
    const [[group]] = (await readWorkbook(
      written([[12_345]], (sheet) => ((sheet['A1'] as XLSX.CellObject).z = '#,##0')),
    )) as [[{ shown: string; value: string }]]
    expect(group).toEqual({ shown: '12,345', value: '12345' })
  })
  it('of computed numbers have the digits that a program shows', async () => {
    const xml = sheetXml(
      '<row r="1"><c r="A1"><v>13800000001.000002</v></c><c r="B1"><v>0.30000000000000004</v></c><c r="C1"><v>1.3800000001E10</v></c></row>',
    )
    expect(await readShown(withSheet(xml))).toEqual([['13800000001', '0.3', '13800000001']])
  })
  it('of every kind are read', async () => {
    const offenders = await findOffenders<readonly [string, string]>([
      ['<c r="A1" t="inlineStr"><is><t>姓名</t></is></c>', '姓名'],
      ['<c r="A1" t="inlineStr"><is><r><t>姓</t></r><r><rPr><b/></rPr><t>名</t></r></is></c>', '姓名'],
      ['<c r="A1" t="inlineStr"><is><t>姓名</t><rPh sb="0" eb="1"><t>xing</t></rPh></is></c>', '姓名'],
      ['<c t="str"><f>"姓"&amp;"名"</f><v>姓名</v></c>', '姓名'],
      ['<c r="A1" t="str"><f>VLOOKUP(A2,[1]Sheet1!A:B,2,0)</f><v>姓名</v></c>', '姓名'],
      ['<c r="A1"><f>1+1</f><v>2</v></c>', '2'],
      ['<c r="A1" t="b"><v>1</v></c>', 'TRUE'],
      ['<c r="A1" t="e"><v>#N/A</v></c>', '#N/A'],
      ['<c r="A1" t="d" s="1"><v>2026-02-01</v></c>', '2026-02-01'],
      ['<c r="A1" t="d" s="1"><v>2026-02-01T00:00:00</v></c>', '2026-02-01'],
      ['<c r="A1" t="inlineStr"><is><t>𠮷&#x1F469;&amp;</t></is></c>', '𠮷👩&'],
      ['<c r="A1" t="inlineStr"><is><t>&#128105;&#x4E2D;&#00060;</t></is></c>', '👩中<'],
      ['<c r="A1" t="inlineStr"><is><t>&#55357;&#56425;</t></is></c>', '👩'],
      ['<c r="A1" t="inlineStr"><is><t>_x0041_B</t></is></c>', 'AB'],
    ])(async (cell, text) => {
      expect(await readShown(forgeZip(styledEntries(['<xf numFmtId="0"/>', '<xf numFmtId="14"/>'], cell)))).toEqual([
        [text],
      ])
    })
    expect(offenders).toEqual([])
  })
  it('with formulas are the saved value; formula text is text', async () => {
    const bytes = written([[1, '=1+1']], (sheet) => {
      ;(sheet['A1'] as XLSX.CellObject).f = 'WEBSERVICE("https://evil.example.com")'
    })
    expect(await readShown(bytes)).toEqual([['1', '=1+1']])
  })
  it('of the first sheet only', async () => {
    const book = XLSX.utils.book_new(XLSX.utils.aoa_to_sheet([['第一']]), '一')
    XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([['第二']]), '二')
    expect(await readShown(new Uint8Array(XLSX.write(book, { type: 'array' }) as ArrayBuffer))).toEqual([['第一']])
  })
})

describe('limits', () => {
  const rows = (count: number) => written(Array.from({ length: count }, (_, i) => [i]))
  it.each([
    [10, 10, null],
    [11, 10, 'WORKBOOK_ROWS'],
    [500, 10, 'WORKBOOK_ROWS'],
    [WORKBOOK.rowsMax, undefined, null],
    [WORKBOOK.rowsMax + 1, undefined, 'WORKBOOK_ROWS'],
  ])('%i rows, at most %s: %s', async (count, rowsMax, key) => {
    expect(await refusalKey(rows(count), rowsMax)).toBe(key)
  })
  it.each([
    ['a row far below', `<row r="900000">${textCell('A900000', 'x')}</row>`],
    ['rows without numbers', `<row>${textCell('A1', 'x')}</row>`.repeat(11)],
    ['a prefix', `<x:row r="11"><x:c r="A11"><x:v>1</x:v></x:c></x:row>`],
    ['a number in the other quotes', `<row spans='1:1' r='11'>${textCell('A11', 'x')}</row>`],
  ])('%s is refused, not lost', async (_, xml) => {
    expect(await refusalKey(withSheet(sheetXml(xml)), 10)).toBe('WORKBOOK_ROWS')
  })
  it('rows below that are formatted but empty do not count', async () => {
    const xml = sheetXml(`<row r="1">${textCell('A1', 'x')}</row><row r="20"><c r="A20" s="1"/></row>`)
    expect(await readShown(withSheet(xml), 10)).toEqual([['x']])
  })
  it('a column far out is refused at once', async () => {
    expect(await refusalKey(withSheet(sheetXml(`<row r="1">${textCell('BM1', 'x')}</row>`)))).toBe('WORKBOOK_COLUMNS')
    expect(await refusalKey(withSheet(sheetXml(`<row r="1">${textCell('XFD1', 'x')}</row>`)))).toBe('WORKBOOK_COLUMNS')
    expect(await refusalKey(withSheet(sheetXml(`<row r="1">${textCell('ZZZZZZZ1', 'x')}</row>`)))).toBe(
      'WORKBOOK_COLUMNS',
    )
    expect(await refusalKey(withSheet(sheetXml(`<row r="1">${textCell('BL1', 'x')}</row>`)))).toBeNull()
  })
  it('a file over 2 MiB', async () => {
    expect(await refusalKey(new Uint8Array(WORKBOOK.maxBytes + 1))).toBe('WORKBOOK_TOO_LARGE')
  })
})

describe('hostile files', () => {
  const zeros = (bytes: number) => Buffer.alloc(bytes, ' ')
  const [types, ...others] = workbookEntries()
  const files: Readonly<Record<string, readonly [Uint8Array, ErrorKey]>> = {
    empty: [new Uint8Array(), 'WORKBOOK_INVALID'],
    'text that SheetJS would take for a CSV': [Buffer.from('姓名,手机\n张三,1'), 'WORKBOOK_INVALID'],
    'HTML that SheetJS would take for a table': [Buffer.from('<table><tr><td>1</td></tr></table>'), 'WORKBOOK_INVALID'],
    'an old .xls': [Buffer.from('d0cf11e0a1b11ae1'.padEnd(4096, '0'), 'hex'), 'WORKBOOK_INVALID'],
    'a ZIP that is no workbook': [forgeZip([{ name: 'a.txt', data: 'a' }]), 'WORKBOOK_INVALID'],
    'no entries': [forgeZip([]), 'WORKBOOK_INVALID'],
    'no workbook part': [
      forgeZip(workbookEntries().filter(({ name }) => name !== 'xl/workbook.xml')),
      'WORKBOOK_INVALID',
    ],
    'zip bomb of 40 MiB': [
      forgeZip(workbookEntries({ data: sheetXml(zeros(40 * 2 ** 20).toString()) })),
      'WORKBOOK_TOO_COMPLEX',
    ],
    'sum over 16 MiB declared': [
      forgeZip([
        ...workbookEntries(),
        ...[1, 2, 3].map((i) => ({ name: `xl/media/${i}.png`, data: noise(100_000), size: 6 * 2 ** 20 })),
      ]),
      'WORKBOOK_TOO_COMPLEX',
    ],
    'ratio over 100': [forgeZip(plus({ name: 'xl/a.xml', data: zeros(1_000_000) })), 'WORKBOOK_TOO_COMPLEX'],
    'more entries counted than there are': [forgeZip(workbookEntries(), { count: 6 }), 'WORKBOOK_INVALID'],
    'fewer entries counted than there are': [forgeZip(workbookEntries(), { count: 4 }), 'WORKBOOK_INVALID'],
    'size that lies low': [forgeZip(workbookEntries({ size: 10 })), 'WORKBOOK_INVALID'],
    'size that lies high': [forgeZip(workbookEntries({ size: 5_000 })), 'WORKBOOK_INVALID'],
    'size of 4 GiB': [forgeZip(workbookEntries({ size: 0xffffffff })), 'WORKBOOK_TOO_COMPLEX'],
    'bomb that declares 100 bytes': [
      forgeZip(workbookEntries({ data: sheetXml(zeros(40 * 2 ** 20).toString()), size: 100 })),
      'WORKBOOK_INVALID',
    ],
    'wrong CRC': [forgeZip(workbookEntries({ crc: 1 })), 'WORKBOOK_INVALID'],
    'two entries over the same bytes': [
      forgeZip([...workbookEntries(), { ...workbookEntries()[4]!, sameAs: 4 }]),
      'WORKBOOK_INVALID',
    ],
    'two names over the same bytes': [
      forgeZip([...workbookEntries(), { ...workbookEntries()[4]!, name: 'xl/worksheets/sheet2.xml', sameAs: 4 }]),
      'WORKBOOK_INVALID',
    ],
    'packed size that reaches into the next entry': [
      forgeZip([{ ...types!, packedSize: 1_000 }, ...others]),
      'WORKBOOK_INVALID',
    ],
    'bytes between entries': [forgeZip([{ ...types!, gap: 16 }, ...others]), 'WORKBOOK_INVALID'],
    'another name in the local header': [
      forgeZip([{ ...types!, localName: '[Content_Types].xmL' }, ...others]),
      'WORKBOOK_INVALID',
    ],
    'names that differ by case': [forgeZip(plus({ name: 'xl/WORKBOOK.xml' })), 'WORKBOOK_INVALID'],
    encrypted: [forgeZip(workbookEntries({ flags: 1 })), 'WORKBOOK_ENCRYPTED'],
    'strongly encrypted': [forgeZip(workbookEntries({ flags: 0x41 })), 'WORKBOOK_ENCRYPTED'],
    'another method (LZMA)': [forgeZip(workbookEntries({ method: 14 })), 'WORKBOOK_INVALID'],
    'stored under deflate': [forgeZip(workbookEntries({ stored: true, method: 8 })), 'WORKBOOK_INVALID'],
    'a program in front': [forgeZip(workbookEntries(), { prefix: '#!/bin/sh\n' }), 'WORKBOOK_INVALID'],
    'a page in front, offsets as if it were not there': [
      Buffer.concat([Buffer.from('<html>'), forgeZip(workbookEntries())]),
      'WORKBOOK_INVALID',
    ],
    'a page behind': [Buffer.concat([forgeZip(workbookEntries()), Buffer.from('<html>')]), 'WORKBOOK_INVALID'],
    'a page as comment': [forgeZip(workbookEntries(), { comment: '<html>' }), 'WORKBOOK_INVALID'],
    'directory elsewhere': [forgeZip(workbookEntries(), { directoryShift: 10 }), 'WORKBOOK_INVALID'],
    'path that climbs': [forgeZip(plus({ name: 'xl/../../a.xml' })), 'WORKBOOK_INVALID'],
    'absolute path': [forgeZip(plus({ name: '/etc/passwd' })), 'WORKBOOK_INVALID'],
    'a NUL in a name': [forgeZip(plus({ name: 'xl/a.xml\0.png' })), 'WORKBOOK_INVALID'],
    'prototype in a name': [forgeZip(plus({ name: '__proto__' })), 'WORKBOOK_INVALID'],
    'a workbook within': [forgeZip(plus({ name: 'xl/embeddings/a.xlsx' })), 'WORKBOOK_MACROS'],
    macros: [forgeZip(plus({ name: 'xl/vbaProject.bin' })), 'WORKBOOK_MACROS'],
    'a program among the parts': [forgeZip(plus({ name: 'setup.exe' })), 'WORKBOOK_MACROS'],
    'DTD with entities': [
      withSheet(
        `<!DOCTYPE a [<!ENTITY b "${'b'.repeat(50)}">]>${sheetXml(`<row r="1">${textCell('A1', '&b;')}</row>`)}`,
      ),
      'WORKBOOK_INVALID',
    ],
    'DTD behind a declaration and a comment': [
      withSheet(`<?xml version="1.0"?><!-- a --><!DOCTYPE a SYSTEM "file:///etc/passwd">${sheetXml('')}`),
      'WORKBOOK_INVALID',
    ],
    'DTD in lower case': [withSheet(`<!doctype a>${sheetXml('')}`), 'WORKBOOK_INVALID'],
    'DTD in UTF-16': [
      forgeZip(workbookEntries({ data: Buffer.from(`\ufeff<!DOCTYPE a>${sheetXml('')}`, 'utf16le') })),
      'WORKBOOK_INVALID',
    ],
    'UTF-7 declared': [withSheet(`<?xml version="1.0" encoding="UTF-7"?>${sheetXml('')}`), 'WORKBOOK_INVALID'],
    'DTD in a relationship': [
      forgeZip(
        workbookEntries().map((entry) =>
          entry.name === '_rels/.rels' ? { ...entry, data: `<!DOCTYPE a>${String(entry.data)}` } : entry,
        ),
      ),
      'WORKBOOK_INVALID',
    ],
  }
  it('each is refused with its reason', async () => {
    const offenders = await findOffenders(Object.entries(files))(async (_, [bytes, key]) => {
      expect(await refusalKey(bytes)).toBe(key)
    })
    expect(offenders).toEqual([])
  })

  it('an unforged workbook of the same builder is read, so the corpus fails for its forgeries only', async () => {
    expect(await readShown(forgeZip(workbookEntries()))).toEqual([['姓名']])
    expect(await readShown(forgeZip(workbookEntries({ stored: true })))).toEqual([['姓名']])
    expect(await readShown(forgeZip(plus({ name: 'xl/media/image1.png', data: noise(5_000) })))).toEqual([['姓名']])
  })
  it('cut off anywhere', async () => {
    const whole = forgeZip(workbookEntries())
    for (let length = 0; length < whole.length; length += 7) {
      expect(await refusalKey(whole.subarray(0, length))).toBe('WORKBOOK_INVALID')
    }
  })
  it('any byte changed is refused or read, never a fault', { timeout: 60_000 }, async () => {
    const whole = forgeZip(workbookEntries())
    for (let at = 0; at < whole.length; at++) {
      const changed = Uint8Array.from(whole)
      changed[at] = (changed[at] ?? 0) ^ 0xff
      const key = await refusalKey(changed)
      expect(key === null || key.startsWith('WORKBOOK_')).toBe(true)
    }
  })
  it('pollutes no prototype', async () => {
    const xml = sheetXml(`<row r="1">${textCell('__proto__', 'x')}${textCell('constructor', 'x')}</row>`)
    await refusalKey(withSheet(xml))
    expect(Object.keys(Object.prototype)).toEqual([])
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })
  it('a zip bomb costs milliseconds, and at most the memory it declares', async () => {
    const bomb = forgeZip(workbookEntries({ data: sheetXml(zeros(40 * 2 ** 20).toString()), size: 30_000 }))
    const before = process.memoryUsage().arrayBuffers
    expect(await refusalKey(bomb)).toMatch(/^WORKBOOK_/)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * 2 ** 20)
  })
})

function noise(bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes)
  let state = 1
  for (let i = 0; i < bytes; i++) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    buffer[i] = state >> 16
  }
  return buffer
}
