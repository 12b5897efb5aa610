import { XML_HEAD, escapeXml } from './xml.ts'

/** Parts around one sheet (ECMA-376 parts 1 and 2): content types, relationships and the workbook. */

export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

export const SHEET_PART = 'xl/worksheets/sheet1.xml'
export const STYLES_PART = 'xl/styles.xml'
export const STRINGS_PART = 'xl/sharedStrings.xml'

interface PackageContent {
  readonly sheetName: string
  readonly hasStrings?: boolean
  /** Days count from 1904 (Excel for Mac). */
  readonly isDate1904?: boolean
}

type NamedXml = readonly [name: string, xml: string]

/** Every part but the sheet, the styles and the shared texts, by name. */
export function toPackageParts({ sheetName, hasStrings = false, isDate1904 = false }: PackageContent): NamedXml[] {
  const override = (part: string, type: string) =>
    `<Override PartName="/${part}" ContentType="${SHEET_TYPE}.${type}+xml"/>`
  return [
    [
      '[Content_Types].xml',
      `${XML_HEAD}<Types xmlns="${PACKAGE}/content-types">` +
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
        '<Default Extension="xml" ContentType="application/xml"/>' +
        override('xl/workbook.xml', 'sheet.main') +
        override(STYLES_PART, 'styles') +
        (hasStrings ? override(STRINGS_PART, 'sharedStrings') : '') +
        `${override(SHEET_PART, 'worksheet')}</Types>`,
    ],
    ['_rels/.rels', toRelationships([['officeDocument', 'xl/workbook.xml']])],
    [
      'xl/workbook.xml',
      `${XML_HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">${isDate1904 ? '<workbookPr date1904="1"/>' : ''}` +
        `<sheets><sheet name="${escapeXml(toSheetName(sheetName))}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      toRelationships([
        ['worksheet', 'worksheets/sheet1.xml'],
        ['styles', 'styles.xml'],
        ...(hasStrings ? [['sharedStrings', 'sharedStrings.xml'] as const] : []),
      ]),
    ],
  ]
}

function toRelationships(targets: readonly (readonly [type: string, target: string])[]): string {
  const rows = targets.map(
    ([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  )
  return `${XML_HEAD}<Relationships xmlns="${PACKAGE}/relationships">${rows.join('')}</Relationships>`
}

/** Excel takes 31 characters and none of []:*?/\ for the name of a sheet. */
const toSheetName = (name: string) => name.replace(/[[\]:*?/\\]/g, ' ').slice(0, 31)
