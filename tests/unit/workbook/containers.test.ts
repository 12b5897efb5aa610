import { describe, expect, it } from 'vitest'
import type { ErrorKey } from '#contract/kernel/errors.ts'
import { WORKBOOK } from '#contract/kernel/limits.ts'
import { isWorkbook } from '#domain/workbook/workbook-parts.ts'
import { type ForgedEntry, forgeZip, sheetXml, workbookEntries } from '#tests/support/zip-builder.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { readShown, refusalKey } from '#tests/support/workbooks.ts'

// Containers as programs write them, byte by byte. Files of the programs themselves: foreign-programs.test.ts.

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const STRICT = 'http://purl.oclc.org/ooxml/officeDocument/relationships'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

type Parts = Readonly<Record<string, string | Uint8Array>>

const partsOf = (entries: readonly ForgedEntry[]): Parts =>
  Object.fromEntries(entries.map(({ name, data }) => [name, data]))
const SMALLEST = partsOf(workbookEntries())
const toEntries = (parts: Parts, over: Partial<ForgedEntry> = {}): ForgedEntry[] =>
  Object.entries(parts).map(([name, data]) => ({ name, data, ...over }))

/** The smallest workbook with parts added or replaced. */
const plus = (parts: Parts, over: Partial<ForgedEntry> = {}) => forgeZip(toEntries({ ...SMALLEST, ...parts }, over))
/** The same with an entry whose headers are forged. */
const plusEntry = (...added: readonly ForgedEntry[]) => forgeZip([...workbookEntries(), ...added])
const renamed = (rename: (name: string) => string) =>
  forgeZip(workbookEntries().map((entry) => ({ ...entry, name: rename(entry.name) })))
const many = (count: number, name: (n: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [name(n), '<a/>']))
const rels = (...rows: readonly (readonly [id: string, type: string, target: string])[]) =>
  `<Relationships>${rows.map(([id, type, target]) => `<Relationship Id="${id}" Type="${type}" Target="${target}"/>`).join('')}</Relationships>`
const book = (sheets: string, before = '') =>
  `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">${before}<sheets>${sheets}</sheets></workbook>`
const sheetOf = (text: string) => sheetXml(`<row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row>`)
/** Workbook of two sheets, the first with `first` as attributes. */
const twoSheets = (first: string, firstType = 'worksheet'): Parts => ({
  'xl/workbook.xml': book(
    `<sheet name="a" sheetId="1" ${first} r:id="rId1"/><sheet name="b" sheetId="2" r:id="rId2"/>`,
  ),
  'xl/_rels/workbook.xml.rels': rels(
    ['rId1', `${OFFICE}/${firstType}`, 'worksheets/sheet1.xml'],
    ['rId2', `${OFFICE}/worksheet`, 'worksheets/sheet2.xml'],
  ),
  'xl/worksheets/sheet1.xml': sheetOf('说明'),
  'xl/worksheets/sheet2.xml': sheetOf('姓名'),
})
const styles = (count: number) =>
  `<styleSheet xmlns="${MAIN}"><cellXfs>${'<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'.repeat(count)}</cellXfs></styleSheet>`
const withStyles = (xml: string): Parts => ({
  'xl/_rels/workbook.xml.rels': rels(
    ['rId1', `${OFFICE}/worksheet`, 'worksheets/sheet1.xml'],
    ['rId2', `${OFFICE}/styles`, 'styles.xml'],
  ),
  'xl/styles.xml': xml,
})
const utf16 = (text: string, isBigEndian = false) => {
  const bytes = Buffer.from(`\ufeff<?xml version="1.0" encoding="UTF-16"?>${text}`, 'utf16le')
  return isBigEndian ? bytes.swap16() : bytes
}
const gbk = Buffer.from('d7cad4b4', 'hex').toString('latin1') // 资源

const OWN_NAMES = 'names of parts that nobody else gives'
/** Each is the smallest workbook, whose one cell is 姓名, and reads as such. */
const READ: Readonly<Record<string, Uint8Array>> = {
  'as Excel writes it': plus({}),
  'a ZIP comment': forgeZip(workbookEntries(), { comment: 'Created by Report Server 8.1 \xb7 2026' }),
  'a long ZIP comment': forgeZip(workbookEntries(), { comment: 'x'.repeat(0xffff) }),
  'a sensitivity label': plus({ 'docMetadata/LabelInfo.xml': '<clbl:labelList xmlns:clbl="x"/>' }),
  'properties as .NET packages have them': plus({
    'package/services/metadata/core-properties/4f1a.psmdcp': '<coreProperties/>',
  }),
  'a pivot cache': plus({
    'pivotCache/pivotCacheDefinition1.xml': '<a/>',
    'xl/pivotCache/pivotCacheRecords1.xml': '<a/>',
  }),
  'one name with backslashes': plus({ 'docProps\\app.xml': '<a/>' }),
  'all names with backslashes': renamed((name) => name.replaceAll('/', '\\')),
  'names in other letters': renamed((name) => name.replace('xl/', 'XL/')),
  'a picture with a Chinese name': plus({ 'xl/media/图片1.png': 'png' }),
  'a name in GBK': plusEntry({ name: `xl/media/${gbk}.png`, data: 'png' }),
  'two unread parts of one name': plusEntry(
    { name: 'xl/media/image1.png', data: 'a' },
    { name: 'xl/media/image1.png', data: 'b' },
  ),
  'links to other workbooks': plus({
    'xl/externalLinks/externalLink1.xml': '<externalLink/>',
    'xl/externalLinks/_rels/externalLink1.xml.rels': rels(['rId1', `${OFFICE}/externalLinkPath`, 'file:///D:/a.xlsx']),
  }),
  'form controls, printer settings, comments': plus({
    'xl/ctrlProps/ctrlProp1.xml': '<a/>',
    'xl/printerSettings/printerSettings1.bin': '\0\x01',
    'xl/drawings/vmlDrawing1.vml': '<xml/>',
    'xl/threadedComments/threadedComment1.xml': '<a/>',
    'xl/persons/person.xml': '<a/>',
  }),
  'folders as entries': plusEntry(
    { name: 'xl/', data: '', stored: true },
    { name: 'xl/media/', data: '', stored: true },
  ),
  '65 parts': plus(many(60, (n) => `xl/${n}.xml`)),
  '10,000 parts': plus(
    many(WORKBOOK.partsMax - 5, (n) => `x/${n}`),
    { stored: true },
  ),
  'an unread part in UTF-16': plus({ 'customXml/item1.xml': utf16('<a/>') }),
  'an unread part with a document type': plus({ 'customXml/item1.xml': '<!DOCTYPE a><a/>' }),
  'an unread part of another method': plusEntry({ name: 'xl/media/a.png', data: 'x', method: 14 }),
  'an unread part with a wrong CRC': plusEntry({ name: 'xl/media/a.png', data: 'x', crc: 1 }),
  '4,000 equal styles': plus(withStyles(styles(4_000))),
  [OWN_NAMES]: forgeZip(
    toEntries({
      '[Content_Types].xml': '<Types/>',
      '_rels/.rels': rels(['a', `${OFFICE}/officeDocument`, '/book/工作簿 1.xml']),
      'book/工作簿 1.xml': book('<sheet name="a" sheetId="7" r:id="b"/>'),
      'book/_rels/工作簿 1.xml.rels': rels(['b', `${OFFICE}/worksheet`, '../tables/t%20%E8%A1%A8.xml']),
      'tables/t 表.xml': sheetOf('姓名'),
    }),
  ),
  'the strict kind': forgeZip(
    toEntries({
      ...SMALLEST,
      '_rels/.rels': rels(['rId1', `${STRICT}/officeDocument`, 'xl/workbook.xml']),
      'xl/_rels/workbook.xml.rels': rels(['rId1', `${STRICT}/worksheet`, 'worksheets/sheet1.xml']),
      'xl/workbook.xml':
        `<workbook xmlns="http://purl.oclc.org/ooxml/spreadsheetml/main" xmlns:r="${STRICT}" conformance="strict">` +
        '<sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>',
    }),
  ),
  'prefixes for every name': plus({
    'xl/workbook.xml': `<x:workbook xmlns:x="${MAIN}" xmlns:ns0="${OFFICE}"><x:sheets><x:sheet name='a' sheetId='1' ns0:id='rId1'/></x:sheets></x:workbook>`,
    'xl/_rels/workbook.xml.rels': rels(['rId1', `${OFFICE}/worksheet`, 'worksheets/sheet1.xml']).replaceAll(
      /<(\/?)R/g,
      '<$1p:R',
    ),
    'xl/worksheets/sheet1.xml': `<x:worksheet xmlns:x="${MAIN}"><x:sheetData><x:row r="1"><x:c r="A1" t="inlineStr"><x:is><x:t>姓名</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>`,
  }),
  'a sheet in UTF-16': plus({ 'xl/worksheets/sheet1.xml': utf16(sheetOf('姓名')) }),
  'a sheet in UTF-16, big end first': plus({ 'xl/worksheets/sheet1.xml': utf16(sheetOf('姓名'), true) }),
  'a byte order mark of UTF-8': plus({ 'xl/worksheets/sheet1.xml': `\ufeff${sheetOf('姓名')}` }),
  'a hidden sheet before it': plus(twoSheets('state="hidden"')),
  'a sheet before it that only a macro can show': plus(twoSheets("state='veryHidden'")),
  'a sheet of a chart before it': plus(twoSheets('', 'chartsheet')),
  'a sheet in a comment before it': plus({
    'xl/workbook.xml': book('<!-- <sheet name="x" r:id="rId9"/> --><sheet name="a" sheetId="1" r:id="rId1"/>'),
  }),
  '255 sheets': plus({
    'xl/workbook.xml': book(
      Array.from({ length: WORKBOOK.sheetsMax }, (_, n) => `<sheet name="${n}" sheetId="${n + 1}" r:id="rId1"/>`).join(
        '',
      ),
    ),
  }),
  'nothing compressed': plus({}, { stored: true }),
  'sizes behind the data': plus({}, { descriptor: 'short' }),
  'sizes behind the data, no signature': plus({}, { descriptor: 'unsigned' }),
  'sizes of 64 bits behind the data': plus({}, { descriptor: 'long' }),
  'ZIP64 fields': plus({}, { zip64: true }),
  'ZIP64 fields and end record': forgeZip(toEntries(SMALLEST, { zip64: true }), { zip64: true }),
  'a ZIP64 end record only': forgeZip(workbookEntries(), { zip64: true }),
  'ZIP64 in a stream': forgeZip(toEntries(SMALLEST, { zip64: true, descriptor: 'long' }), { zip64: true }),
  'names said to be UTF-8': plus({}, { flags: 0x0800 }),
}

const compound = (text: string) =>
  Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(500), Buffer.from(text, 'utf16le')])

const REFUSED: Readonly<Record<string, readonly [Uint8Array, ErrorKey]>> = {
  'a workbook with a password': [compound('EncryptionInfo\0EncryptedPackage\0'), 'WORKBOOK_ENCRYPTED'],
  'a ZIP with a password': [plus({}, { flags: 1 }), 'WORKBOOK_ENCRYPTED'],
  'a password on one part': [plusEntry({ name: 'xl/media/a.png', data: 'x', flags: 1 }), 'WORKBOOK_ENCRYPTED'],
  'an old .xls': [compound('Workbook\0'), 'WORKBOOK_INVALID'],
  'a document of Word': [
    forgeZip(toEntries({ '[Content_Types].xml': '<Types/>', 'word/document.xml': '<a/>' })),
    'WORKBOOK_INVALID',
  ],
  'an OpenDocument table': [
    forgeZip(toEntries({ 'META-INF/manifest.xml': '<a/>', 'content.xml': '<a/>' })),
    'WORKBOOK_INVALID',
  ],
  'a macro': [plus({ 'xl/vbaProject.bin': 'x' }), 'WORKBOOK_MACROS'],
  'a macro of another name': [
    plus({
      'xl/a.bin': 'x',
      'xl/_rels/workbook.xml.rels': rels(
        ['rId1', `${OFFICE}/worksheet`, 'worksheets/sheet1.xml'],
        ['rId2', 'http://schemas.microsoft.com/office/2006/relationships/vbaProject', 'a.bin'],
      ),
    }),
    'WORKBOOK_MACROS',
  ],
  'a macro sheet': [plus({ 'xl/macrosheets/sheet2.xml': '<a/>' }), 'WORKBOOK_MACROS'],
  'a control': [plus({ 'xl/activeX/activeX1.bin': 'x' }), 'WORKBOOK_MACROS'],
  'an embedded file': [plus({ 'xl/embeddings/oleObject1.bin': 'x' }), 'WORKBOOK_MACROS'],
  'a program': [plus({ 'xl/media/setup.exe': 'MZ' }), 'WORKBOOK_MACROS'],
  '256 sheets': [
    plus({
      'xl/workbook.xml': book(
        Array.from({ length: WORKBOOK.sheetsMax + 1 }, (_, n) => `<sheet name="${n}" r:id="rId1"/>`).join(''),
      ),
    }),
    'WORKBOOK_SHEETS',
  ],
  'no visible sheet': [
    plus({ 'xl/workbook.xml': book('<sheet name="a" state="hidden" r:id="rId1"/>') }),
    'WORKBOOK_INVALID',
  ],
  'a sheet outside the package': [
    plus({ 'xl/_rels/workbook.xml.rels': rels(['rId1', `${OFFICE}/worksheet`, '../../sheet.xml']) }),
    'WORKBOOK_INVALID',
  ],
  'a sheet on another server': [
    plus({
      'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="http://169.254.169.254/" TargetMode="External"/></Relationships>`,
    }),
    'WORKBOOK_INVALID',
  ],
  '10,001 parts': [
    plus(
      many(WORKBOOK.partsMax - 4, (n) => `x/${n}`),
      { stored: true },
    ),
    'WORKBOOK_TOO_COMPLEX',
  ],
  '60,000 equal styles': [plus(withStyles(styles(60_000))), 'WORKBOOK_TOO_COMPLEX'],
  'a comment with markup': [forgeZip(workbookEntries(), { comment: 'a <script>' }), 'WORKBOOK_INVALID'],
  'a comment with an end record': [
    forgeZip(workbookEntries(), { comment: `PK\x05\x06${'\0'.repeat(18)}` }),
    'WORKBOOK_INVALID',
  ],
  'a path that climbs behind backslashes': [plus({ 'xl\\..\\..\\a.xml': '<a/>' }), 'WORKBOOK_INVALID'],
  'a path that climbs behind escapes': [plus({ 'xl/%2e%2e/a.xml': '<a/>' }), 'WORKBOOK_INVALID'],
  'a drive': [plus({ 'C:\\a.xml': '<a/>' }), 'WORKBOOK_INVALID'],
  'two parts that are read, of one name': [plus({ 'XL\\WORKBOOK.XML': '<a/>' }), 'WORKBOOK_INVALID'],
  'a document type in UTF-16': [
    plus({ 'xl/worksheets/sheet1.xml': utf16(`<!DOCTYPE a>${sheetOf('姓名')}`) }),
    'WORKBOOK_INVALID',
  ],
  'a document type in the shared texts': [
    plus({
      'xl/_rels/workbook.xml.rels': rels(
        ['rId1', `${OFFICE}/worksheet`, 'worksheets/sheet1.xml'],
        ['rId2', `${OFFICE}/sharedStrings`, 'sharedStrings.xml'],
      ),
      'xl/sharedStrings.xml': '<!DOCTYPE a [<!ENTITY b "b">]><sst/>',
    }),
    'WORKBOOK_INVALID',
  ],
  'bytes that are no UTF-8': [
    plus({ 'xl/worksheets/sheet1.xml': Buffer.from('<a>\xff</a>', 'latin1') }),
    'WORKBOOK_INVALID',
  ],
  'a ZIP64 size beyond the file': [
    plusEntry({ name: 'xl/media/a.png', data: 'x', zip64: true, packedSize: 2 ** 40 }),
    'WORKBOOK_INVALID',
  ],
  'a ZIP64 size of a bomb': [
    plusEntry({ name: 'xl/media/a.png', data: 'x', zip64: true, size: 2 ** 40 }),
    'WORKBOOK_TOO_COMPLEX',
  ],
  'another directory in the ZIP64 end record': [
    forgeZip(workbookEntries(), { zip64: true, directoryShift: 46 }),
    'WORKBOOK_INVALID',
  ],
}

describe('containers', () => {
  it('each that a common program writes is read', async () => {
    const offenders = await findOffenders(Object.entries(READ))(async (_, bytes) => {
      expect(await readShown(bytes)).toEqual([['姓名']])
    })
    expect(offenders).toEqual([])
  })
  it('each that is dangerous or no workbook is refused with its own sentence', async () => {
    const offenders = await findOffenders(Object.entries(REFUSED))(async (_, [bytes, key]) => {
      expect(await refusalKey(bytes)).toBe(key)
    })
    expect(offenders).toEqual([])
  })
  it('an attachment of a ticket is judged by the same names', () => {
    const names = Object.keys(READ).filter((name) => name !== OWN_NAMES && !isWorkbook(READ[name]!))
    expect(names).toEqual([])
    for (const name of ['a macro', 'an embedded file', 'a program', 'a drive', 'a document of Word']) {
      expect([name, isWorkbook(REFUSED[name]![0])]).toEqual([name, false])
    }
  })
})

describe('hostile XML', () => {
  const HOSTILE: Readonly<Record<string, Parts>> = {
    'tags that do not end': { 'xl/workbook.xml': '<sheet '.repeat(500_000) },
    'rows that do not end': { 'xl/worksheets/sheet1.xml': `<worksheet><sheetData${'<row '.repeat(500_000)}` },
    'cells that do not end': { 'xl/worksheets/sheet1.xml': sheetXml(`<row r="1">${'<c '.repeat(500_000)}</row>`) },
    'cells without values': {
      'xl/worksheets/sheet1.xml': sheetXml(`<row r="1">${'<c r="A1"><v>'.repeat(200_000)}</row>`),
    },
    'texts that do not end': {
      'xl/worksheets/sheet1.xml': sheetXml(`<row r="1"><c t="inlineStr"><is>${'<t>'.repeat(500_000)}`),
    },
    'comments that do not end': { 'xl/workbook.xml': '<!--'.repeat(500_000) },
    'a name of a megabyte': { 'xl/workbook.xml': `<sheet ${'a'.repeat(1_000_000)}/>` },
    'attributes without a value': { 'xl/_rels/workbook.xml.rels': `<Relationship ${'a= '.repeat(300_000)}/>` },
    'styles that do not end': withStyles('<xf '.repeat(500_000)),
  }
  it('is read or refused at once, not in quadratic time', { timeout: 60_000 }, async () => {
    const offenders = await findOffenders(Object.entries(HOSTILE))(async (_, parts) => {
      const noise = Array.from({ length: 40_000 }, (__, n) => `<!--${(n * 2_654_435_761) % 4_294_967_296}-->`).join('')
      const padded = Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, `${noise}${String(xml)}`]))
      await refusalKey(plus(padded))
    })
    expect(offenders).toEqual([])
  })
})
