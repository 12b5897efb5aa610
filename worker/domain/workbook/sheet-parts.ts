import { type Violation, violation } from '#contract/kernel/result.ts'
import { WORKBOOK } from '#contract/kernel/limits.ts'
import { partKey } from './workbook-parts.ts'
import { type Attributes, findElements } from './xml.ts'

/* Way through the relationships of a workbook to the parts that are read: the first visible sheet and what its cells need. */

/** Parts by their `partKey`. */
export interface SheetParts {
  readonly sheet: string
  readonly strings: string | null
  readonly styles: string | null
  readonly isDate1904: boolean
}

/** XML of a part, or null for none of that key. */
type ReadXml = (key: string) => string | null

export function findSheetParts(readXml: ReadXml): SheetParts | Violation {
  const packageTargets = readTargets(readXml, '')
  const workbook = packageTargets.find(({ type }) => type === 'officeDocument')?.key ?? 'xl/workbook.xml'
  const xml = readXml(workbook)
  if (xml === null) return violation('WORKBOOK_INVALID')
  const targets = readTargets(readXml, workbook)
  if (targets.some(({ type }) => MACRO_TYPES.includes(type))) return violation('WORKBOOK_MACROS')
  const sheets = findElements(xml, 'sheet')
  if (sheets.length > WORKBOOK.sheetsMax) return violation('WORKBOOK_SHEETS', { limit: WORKBOOK.sheetsMax })
  const shown = sheets.filter((sheet) => !HIDDEN.includes(sheet.get('state') ?? '')).map(relationshipId)
  const sheet = shown
    .map((id) => targets.find((target) => target.id === id && target.type === 'worksheet'))
    .find(Boolean)
  if (sheet === undefined) return violation('WORKBOOK_INVALID')
  return {
    sheet: sheet.key,
    strings: targets.find(({ type }) => type === 'sharedStrings')?.key ?? null,
    styles: targets.find(({ type }) => type === 'styles')?.key ?? null,
    isDate1904: ['1', 'true'].includes(findElements(xml, 'workbookPr')[0]?.get('date1904') ?? ''),
  }
}

const HIDDEN: readonly string[] = ['hidden', 'veryHidden']
const MACRO_TYPES: readonly string[] = ['vbaProject', 'xlMacrosheet', 'xlIntlMacrosheet']

/** The one attribute `id` of a sheet with a prefix, which programs choose. */
const relationshipId = (sheet: Attributes): string | undefined => [...sheet].find(([name]) => name.endsWith(':id'))?.[1]

interface Target {
  readonly id: string | undefined
  /** Last word of the type, which both kinds of Office Open XML share (transitional, strict). */
  readonly type: string
  readonly key: string
}

/** Relationships of a part within the package; those of the package itself for ''. */
function readTargets(readXml: ReadXml, source: string): Target[] {
  const folder = source.slice(0, source.lastIndexOf('/') + 1)
  const xml = readXml(`${folder}_rels/${source.slice(folder.length)}.rels`) ?? ''
  return findElements(xml, 'Relationship').flatMap((row) => {
    const key = row.get('TargetMode') === 'External' ? null : toKey(folder, row.get('Target') ?? '')
    return key === null ? [] : [{ id: row.get('Id'), type: row.get('Type')?.split('/').at(-1) ?? '', key }]
  })
}

/** Key of a target, absolute or seen from a folder; null for one outside the package. Names in the ZIP are of bytes. */
function toKey(folder: string, target: string): string | null {
  const escaped = target.toWellFormed().replace(/[^\0-\x7f]+/gu, encodeURIComponent)
  const path: string[] = []
  for (const segment of partKey(escaped.startsWith('/') ? escaped : folder + escaped).split('/')) {
    if (segment === '..' && path.pop() === undefined) return null
    if (!['', '.', '..'].includes(segment)) path.push(segment)
  }
  return path.join('/')
}
