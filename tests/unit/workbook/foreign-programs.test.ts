import { readFileSync, readdirSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ErrorKey } from '#contract/kernel/errors.ts'
import { parseMemberFile } from '#domain/router/member-file.ts'
import { isWorkbook } from '#domain/workbook/workbook-parts.ts'
import { readWorkbook } from '#features/workbook/service.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { refusalKey } from '#tests/support/workbooks.ts'

// The same four members in files that other programs wrote; origins.json says which, and how.

const FOLDER = 'tests/support/workbook-files'
const FILE_MAX = 15_000

interface Origin {
  readonly file: string
  readonly program: string
  readonly version: string
  readonly written: string
  /** Note of the third member: a date, as the program shows it. */
  readonly date?: string
  readonly refusal?: ErrorKey
}
const ORIGINS = JSON.parse(readFileSync(`${FOLDER}/origins.json`, 'utf8')) as readonly Origin[]

const bytesOf = (file: string) => new Uint8Array(readFileSync(`${FOLDER}/${file}`))

const membersOf = (date: string) => [
  ['wang.li_1', 'Weilai26', '86', '13800000001', '财务'],
  ['li.na', 'Zhongguo88', '852', '51234567', '阿卜杜·买买提'],
  ['zhang_3', '88886666', '86', '13800000003', date],
  ['13900000004', 'Abc12345', '86', '13900000004', ''],
]

describe('member files of other programs', () => {
  it('are small, each with its origin', () => {
    const files = readdirSync(FOLDER).filter((file) => file.endsWith('.xlsx'))
    expect(ORIGINS.map(({ file }) => file).toSorted()).toEqual(files.toSorted())
    expect(files.filter((file) => statSync(`${FOLDER}/${file}`).size > FILE_MAX)).toEqual([])
    expect(new Set(ORIGINS.map(({ program }) => program)).size).toBeGreaterThanOrEqual(15)
    for (const { program, version, written } of ORIGINS) expect([program, version, written]).not.toContain('')
  })

  it('are read as what was meant', async () => {
    const read = ORIGINS.flatMap(({ file, date }) => (date === undefined ? [] : [[file, date] as const]))
    const offenders = await findOffenders(read)(async (file, date) => {
      const bytes = bytesOf(file)
      const members = parseMemberFile(await readWorkbook(bytes), ['account', 'password'])
      if ('key' in members) throw new Error(members.key)
      const cells = members.map(({ account, password, areaCode, phone, note }) => [
        account,
        password,
        areaCode,
        phone,
        note,
      ])
      expect(cells).toEqual(membersOf(date))
      expect(isWorkbook(bytes)).toBe(true)
    })
    expect(offenders).toEqual([])
  })

  it('or refused for what they are', async () => {
    const refused = ORIGINS.flatMap(({ file, refusal }) => (refusal === undefined ? [] : [[file, refusal] as const]))
    const offenders = await findOffenders(refused)(async (file, key) => {
      expect(await refusalKey(bytesOf(file))).toBe(key)
    })
    expect(offenders).toEqual([])
  })
})
