import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as XLSX from 'xlsx'
import { LOG_EXPORT } from '#contract/logs/limits.ts'
import { ROOT } from '#infra/local/paths.ts'
import { run } from '#infra/local/run.ts'
import { type Finding, print } from '../report.ts'
import type { RowsRead, Taken } from './measures.ts'

const BUDGET = { rowsRead: 10_100, peakMiB: 64, cpu: 0.5 } as const
/** Two semi-spaces and the old space: together no more than the budget. SheetJS has what it wants. */
const SMALL_HEAP = ['--expose-gc', '--max-semi-space-size=8', '--max-old-space-size=48']

/** Lists of a million rows, and the export of as many as it may hold, against SheetJS. Each in a process of its own. */
export async function benchLogs(): Promise<readonly Finding[]> {
  const findings = [...(await benchRowsRead()), ...(await benchExport())]
  print('Logs', findings)
  return findings
}

async function benchRowsRead(): Promise<readonly Finding[]> {
  const measured = JSON.parse(await runNode([], 'rows-read.ts')) as readonly RowsRead[]
  return measured.map(({ table, rows, read, count, tookMs }) => ({
    what: `first page of ${table} of ${rows} rows`,
    value: read,
    unit: 'rows read',
    budget: BUDGET.rowsRead,
    must: 'stay below',
    note: `counts ${count}, ${tookMs.toFixed(0)} ms`,
  }))
}

async function benchExport(): Promise<readonly Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'netloom-export-'))
  try {
    const [ours, theirs] = [join(folder, 'ours.xlsx'), join(folder, 'sheetjs.xlsx')]
    const rows = String(LOG_EXPORT.rowsMax)
    const own = JSON.parse(await runNode(SMALL_HEAP, 'export.ts', 'ours', rows, ours)) as Taken
    const peer = JSON.parse(await runNode(['--expose-gc'], 'export.ts', 'sheetjs', rows, theirs)) as Taken
    const [found, expected] = [readRows(ours), readRows(theirs)]
    return [
      {
        what: `rows of an export of ${rows} that are those of SheetJS`,
        value: found.filter((row, n) => row === expected[n]).length - 1, // the header
        unit: 'rows',
        budget: LOG_EXPORT.rowsMax,
        must: 'reach',
      },
      {
        what: 'heap and buffers at most',
        value: own.peakMiB,
        unit: 'MiB',
        budget: BUDGET.peakMiB,
        must: 'stay below',
        note: `${own.beforeMiB.toFixed(0)} before; SheetJS ${peer.peakMiB.toFixed(0)}`,
      },
      {
        what: 'processor time against SheetJS',
        value: own.cpuMs / peer.cpuMs,
        unit: 'times',
        budget: BUDGET.cpu,
        must: 'stay below',
        note: `${own.cpuMs.toFixed(0)} ms against ${peer.cpuMs.toFixed(0)} ms`,
      },
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function readRows(file: string): readonly string[] {
  const { Sheets, SheetNames } = XLSX.read(readFileSync(file), { dense: true })
  return XLSX.utils
    .sheet_to_json(Sheets[SheetNames[0] ?? ''] ?? {}, { header: 1, defval: '' })
    .map((row) => JSON.stringify(row))
}

async function runNode(flags: readonly string[], script: string, ...values: readonly string[]): Promise<string> {
  const args = [...flags, join('infra/bench/logs/measured', script), ...values]
  const { code, output } = await run(process.execPath, args, { cwd: ROOT })
  if (code !== 0) throw new Error(`${script} failed:\n${output}`)
  return output.trimEnd().split('\n').at(-1) ?? '' // behind warnings of Node
}
