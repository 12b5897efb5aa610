import fc from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { parseTime, timeRange } from '#contract/kernel/time-range.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const DAY_MS = 86_400_000
const FIRST = Date.parse('2000-01-01T00:00:00Z')
const LAST = Date.parse('2099-12-31T23:59:59.999Z')

const shanghai = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Asia/Shanghai',
  dateStyle: 'short',
  timeStyle: 'medium',
})
/** `YYYY-MM-DD HH:mm:ss` in Asia/Shanghai by the runtime's own calendar. */
const shownAt = (epochMs: number) => shanghai.format(epochMs)

const createInstant = fc.integer({ min: FIRST, max: LAST - DAY_MS })

describe('times', () => {
  it('a second is what the runtime shows for it', () => {
    fc.assert(
      fc.property(createInstant, (epochMs) => {
        const second = Math.floor(epochMs / 1000) * 1000
        expect(parseTime(shownAt(epochMs), 'start')).toBe(second)
        expect(parseTime(shownAt(epochMs), 'end')).toBe(second + 999)
      }),
    )
  })
  it('a day is from its first to its last millisecond', () => {
    fc.assert(
      fc.property(createInstant, (epochMs) => {
        const day = shownAt(epochMs).slice(0, 10)
        const [start, end] = [parseTime(day, 'start') ?? 0, parseTime(day, 'end') ?? 0]
        expect([shownAt(start), shownAt(end)]).toEqual([`${day} 00:00:00`, `${day} 23:59:59`])
        expect(end - start).toBe(DAY_MS - 1)
        expect(start <= epochMs && epochMs <= end).toBe(true)
      }),
    )
  })
  it('epoch milliseconds are unchanged, as number and as digits', () => {
    fc.assert(
      fc.property(createInstant, fc.constantFrom('start' as const, 'end' as const), (epochMs, edge) => {
        expect(parseTime(epochMs, edge)).toBe(epochMs)
        expect(parseTime(String(epochMs), edge)).toBe(epochMs)
      }),
    )
  })
  it('every date of the calendar is taken and no other', () => {
    const wrong: string[] = []
    for (let year = 2000; year <= 2099; year++)
      for (let month = 0; month <= 13; month++)
        for (let day = 0; day <= 32; day++) {
          const text = [year, month, day].map((part) => String(part).padStart(2, '0')).join('-')
          const utc = new Date(Date.UTC(year, month - 1, day))
          const isReal = utc.getUTCMonth() === month - 1 && utc.getUTCDate() === day
          if (parseTime(text, 'start') !== (isReal ? utc.getTime() - 8 * 3_600_000 : null)) wrong.push(text)
        }
    expect(wrong).toEqual([])
  })
  it('each text and number of another form is no time', async () => {
    const offenders = await findOffenders([
      '2026-02-30',
      '2026-13-01',
      '1999-12-31',
      '2100-01-01',
      '2026-1-1',
      '2026/01/01',
      '20260101',
      '2026-01-01T00:00:00Z',
      '2026-01-01 24:00:00',
      '2026-01-01 00:60:00',
      '2026-01-01 00:00:60',
      '2026-01-01 00:00',
      '-1',
      '1e12',
      '1700000000',
      '9'.repeat(400),
      'now',
      Number.NaN,
      Number.POSITIVE_INFINITY,
      1.5,
      -1,
      0,
    ])((value) => {
      expect(parseTime(value, 'start')).toBeNull()
      expect(parseTime(value, 'end')).toBeNull()
    })
    expect(offenders).toEqual([])
  })
})

describe('timeRange', () => {
  const input = timeRange({ page: z.coerce.number().default(1) })
  const listIssues = (value: unknown, schema: z.ZodType = input) =>
    schema.safeParse(value).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []

  it('puts both ends beside the other fields', () => {
    const parsed = input.parse({ page: '2', start_time: '2026-02-01', end_time: ' 2026-02-28 ' })
    expectTypeOf(parsed).toEqualTypeOf<{ page: number; start_time: number | undefined; end_time: number | undefined }>()
    expect(parsed).toEqual({
      page: 2,
      start_time: Date.parse('2026-02-01T00:00:00+08:00'),
      end_time: Date.parse('2026-02-28T23:59:59.999+08:00'),
    })
  })
  it.each([[{}], [{ start_time: '', end_time: '' }], [{ start_time: '2026-02-01' }], [{ end_time: '2026-02-01' }]])(
    'either end may be left out: %j',
    (value) => {
      expect(listIssues(value)).toEqual([])
    },
  )
  it.each([
    [{ start_time: '2026-02-02', end_time: '2026-02-01' }, 'end_time: 结束时间不能早于开始时间'],
    [{ start_time: '2026-02-01 00:00:01', end_time: '2026-02-01 00:00:00' }, 'end_time: 结束时间不能早于开始时间'],
    [{ start_time: 1_770_000_000_001, end_time: '1770000000000' }, 'end_time: 结束时间不能早于开始时间'],
    [{ start_time: '2026-02-30' }, 'start_time: 开始时间不正确，请重新选择'],
    [{ start_time: '2026-02-01', end_time: 'x' }, 'end_time: 结束时间不正确，请重新选择'],
  ])('%j is refused', (value, issue) => {
    expect(listIssues(value)).toEqual([issue])
  })
  it.each(['2026-02-01', '2026-02-01 12:00:00', 1_770_000_000_000])('%s to itself is a range', (at) => {
    expect(listIssues({ start_time: at, end_time: at })).toEqual([])
  })
  it('takes the names a document gives', () => {
    const named = timeRange({}, { start: 'begin', end: 'finish' })
    expect(named.parse({ begin: 1_770_000_000_000 })).toEqual({ begin: 1_770_000_000_000 })
    expect(listIssues({ begin: '2026-02-02', finish: '2026-02-01' }, named)).toEqual([
      'finish: 结束时间不能早于开始时间',
    ])
  })
  it('never refuses an ordered range and always an unordered one', () => {
    fc.assert(
      fc.property(createInstant, createInstant, (a, b) => {
        expect(listIssues({ start_time: a, end_time: b }).length).toBe(a <= b ? 0 : 1)
      }),
    )
  })
  it('is described in the OpenAPI document as what is sent', () => {
    const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as { properties: object }
    expect(Object.keys(schema.properties)).toEqual(['page', 'start_time', 'end_time'])
  })
})
