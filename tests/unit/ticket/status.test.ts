import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TICKET } from '#contract/ticket/limits.ts'
import { type TicketStatus, appraisalForm, ticketApi, ticketForm } from '#contract/ticket/index.ts'
import { toTicketNumber } from '#domain/ticket/number.ts'
import {
  type TicketState,
  checkAppraise,
  checkDelete,
  checkReopen,
  checkReply,
  checkStep,
  statusAfterReply,
  dueTime,
  nextStep,
} from '#domain/ticket/status.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 10, 22, 2)
const STATUSES = [1, 2, 3, 4] as const
const state = (status: TicketStatus, over: Partial<TicketState> = {}): TicketState => ({
  status,
  grade: null,
  closedAt: status === 4 ? NOW - DAY_MS : null,
  ...over,
})

describe('account 4 · the status after a reply', () => {
  it.each([
    ['customer', 1, 1],
    ['customer', 2, 2],
    ['customer', 3, 2],
    ['customer', 4, null],
    ['adviser', 1, 3],
    ['adviser', 2, 3],
    ['adviser', 3, 3],
    ['adviser', 4, null],
  ] as const)('of the %s: %i → %s', (side, from, to) => {
    expect(statusAfterReply(side, from)).toBe(to)
    expect(checkReply({ ...state(from), replies: 0 })?.key).toBe(to === null ? 'TICKET_CLOSED' : undefined)
  })
  it('an appraised ticket takes none, nor one that is full', () => {
    expect(checkReply({ ...state(3, { grade: 5 }), replies: 0 })).toMatchObject({ key: 'TICKET_CLOSED' })
    expect(checkReply({ ...state(2), replies: TICKET.repliesMax })).toMatchObject({ key: 'TICKET_FULL' })
    expect(checkReply({ ...state(2), replies: TICKET.repliesMax - 1 })).toBeNull()
  })
})

describe('account 4 · actions of a customer by status', () => {
  it.each([
    [1, { appraise: true, reopen: 'TICKET_NOT_CLOSED', delete: true }],
    [2, { appraise: true, reopen: 'TICKET_NOT_CLOSED', delete: false }],
    [3, { appraise: true, reopen: 'TICKET_NOT_CLOSED', delete: false }],
    [4, { appraise: true, reopen: undefined, delete: true }],
  ] as const)('%i', (status, may) => {
    expect(checkAppraise(state(status))).toBeNull()
    expect(checkAppraise(state(status, { grade: 1 }))).toMatchObject({ key: 'TICKET_APPRAISED' })
    expect(checkReopen(state(status), NOW)?.key).toBe(may.reopen)
    expect(checkDelete(state(status)) === null).toBe(may.delete)
  })
  it('reopens until seven days after the close, unless it was appraised', () => {
    const closed = (msAgo: number, grade: number | null = null) =>
      checkReopen({ status: 4, grade, closedAt: NOW - msAgo }, NOW)?.key
    expect(closed(7 * DAY_MS)).toBeUndefined()
    expect(closed(7 * DAY_MS + 1)).toBe('TICKET_REOPEN_LATE')
    expect(closed(0, 3)).toBe('TICKET_REOPEN_APPRAISED')
  })
})

describe('account 4 · steps of the operator', () => {
  const allowed: Readonly<Record<TicketStatus, readonly TicketStatus[]>> = { 1: [2, 4], 2: [4], 3: [2, 4], 4: [2] }
  it('each is taken or refused as in the table', async () => {
    const offenders = await findOffenders(STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const)))(
      (from, to) => {
        expect(checkStep(state(from), to) === null).toBe(allowed[from].includes(to))
      },
    )
    expect(offenders).toEqual([])
  })
  it('none reopens an appraised ticket', () => {
    expect(checkStep(state(4, { grade: 5 }), 2)).toMatchObject({ key: 'TICKET_REOPEN_APPRAISED' })
  })
})

describe('schedule', () => {
  const replied = (over: object = {}) =>
    ({ status: 3, answeredAt: NOW, warnedAt: null, deletedAt: null, ...over }) as const
  it.each([
    ['warns a day before the seventh', replied(), { task: 'warn', at: NOW + 6 * DAY_MS }],
    ['closes on the seventh', replied({ warnedAt: NOW + 6 * DAY_MS }), { task: 'close', at: NOW + 7 * DAY_MS }],
    [
      'closes a day after a late warning',
      replied({ warnedAt: NOW + 30 * DAY_MS }),
      { task: 'close', at: NOW + 31 * DAY_MS },
    ],
    ['purges what was deleted', replied({ deletedAt: NOW }), { task: 'purge', at: NOW + 180 * DAY_MS }],
    ['leaves others alone', replied({ status: 2 }), null],
  ])('%s', (_, scheduled, step) => {
    expect(nextStep(scheduled as never)).toEqual(step)
    expect(dueTime(scheduled as never)).toBe(step?.at ?? null)
  })
  it('never closes without a warning that was out for a day', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...STATUSES),
        fc.nat(100 * DAY_MS),
        fc.option(fc.nat(100 * DAY_MS)),
        (status, ago, warned) => {
          const answeredAt = NOW - ago
          const warnedAt = warned === null ? null : answeredAt + warned
          const step = nextStep({ status, answeredAt, warnedAt, deletedAt: null })
          if (step?.task !== 'close') return
          expect(warnedAt).not.toBeNull()
          expect(step.at).toBeGreaterThanOrEqual((warnedAt ?? 0) + DAY_MS)
          expect(step.at).toBeGreaterThanOrEqual(answeredAt + 7 * DAY_MS)
        },
      ),
    )
  })
})

describe('account 3 · number', () => {
  it.each([
    [Date.UTC(2026, 10, 22, 15, 59, 59), 'T20261122000123'],
    [Date.UTC(2026, 10, 22, 16), 'T20261123000123'],
  ])('carries the day in Shanghai', (at, number) => {
    expect(toTicketNumber(at, '000123')).toBe(number)
  })
})

describe('account 5 · sentences of the form', () => {
  const good = { title: '无法连接', content: '上海总部从今天早上起无法连接', type: 2 as const }
  const sentence = (schema: typeof ticketForm, input: object) => schema.safeParse(input).error?.issues[0]?.message
  it.each([
    [{ ...good, title: '' }, '标题不能为空'],
    [{ ...good, title: '  ' }, '标题不能为空'],
    [{ ...good, title: '长' }, '标题长度为2-32个字符'],
    [{ ...good, title: '长'.repeat(33) }, '标题长度为2-32个字符'],
    [{ ...good, content: '' }, '概述不能为空'],
    [{ ...good, content: '九个字九个字九个字' }, '概述不能少于10个字符'],
    [{ ...good, content: '长'.repeat(2_001) }, '概述不能超过2000个字符'],
    [{ ...good, type: undefined }, '问题类型不能为空'],
    [{ ...good, type: 5 }, '请选择有效的问题类型'],
    [{ ...good, file_ids: ['a', 'b', 'c', 'd'] }, '最多上传3个文件'],
    [{ ...good, file_ids: ['a', 'a'] }, '同一个文件只能使用一次'],
    [{ title: undefined, content: good.content, type: 2 }, '标题不能为空'],
  ])('%o', (input, message) => {
    expect(sentence(ticketForm, input)).toBe(message)
  })
  it('types are 1, 2, 3, 4 and 6', () => {
    const taken = [0, 1, 2, 3, 4, 5, 6, 7].filter((type) => ticketForm.safeParse({ ...good, type }).success)
    expect(taken).toEqual([1, 2, 3, 4, 6])
  })
  it('lines stay, what cannot be seen does not', () => {
    const { content } = ticketForm.parse({ ...good, content: ' 第一行没有问题\r\n\t第\u202e二行\u0000<b>也没有</b> ' })
    expect(content).toBe('第一行没有问题\n\t第二行<b>也没有</b>')
  })
  it.each([
    [{ ticket_number: 'T1', content: '' }, '回复内容不能为空'],
    [{ ticket_number: 'T1' }, '回复内容不能为空'],
    [{ ticket_number: 'T1', content: '长'.repeat(2_001) }, '回复内容不能超过2000个字符'],
  ])('reply %o', (input, message) => {
    expect(ticketApi.reply.input.safeParse(input).error?.issues[0]?.message).toBe(message)
  })
  it.each([
    [{}, '评分不能为空'],
    [{ grade: 0 }, '评分不能为空'],
    [{ grade: 6 }, '评分最高5分'],
    [{ grade: 5, content: '长'.repeat(201) }, '评价不能超过200个字符'],
  ])('appraisal %o', (input, message) => {
    expect(appraisalForm.safeParse(input).error?.issues[0]?.message).toBe(message)
  })
})
