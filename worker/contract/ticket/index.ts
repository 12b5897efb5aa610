import * as z from 'zod'
import { EXAMPLE, read, write } from '#contract/kernel/endpoint.ts'
import {
  TICKET_NUMBER_REQUIRED,
  codeString,
  lengthText,
  displayText,
  numeric,
  prose,
  required,
  search,
  time,
} from '#contract/kernel/fields.ts'
import { sentenceOf } from '#contract/kernel/input/input-sentence.ts'
import { UPLOAD } from '#contract/kernel/limits.ts'
import { list } from '#contract/kernel/list.ts'
import { TICKET } from './limits.ts'
import { snapshot, snapshotTarget } from './snapshot.ts'
import { EXAMPLE_IMAGE, IMAGE_RULE, uploadedFile } from '#contract/kernel/uploads.ts'

/* Endpoints and forms of support tickets (account 2, 3, 4). Orders of POP access are in network/pop.ts. */

/** Types of tickets; 5 does not exist (account 3). */
export const TICKET_TYPES = { 1: '平台服务', 2: '智能组网', 3: '智能设备', 4: '账号问题', 6: '其他' } as const
export type TicketType = keyof typeof TICKET_TYPES
/** Type of tickets that ask for a service: to open, renew or extend it. */
export const SERVICE_TICKET = 1 satisfies TicketType
const ticketType = z.literal([1, 2, 3, 4, 6], {
  error: ({ input }) => ([undefined, null, ''].includes(input as string) ? '问题类型不能为空' : '请选择有效的问题类型'),
})

export const TICKET_STATUS = { waiting: 1, processing: 2, replied: 3, closed: 4 } as const // infra/docs/decisions.md
export type TicketStatus = (typeof TICKET_STATUS)[keyof typeof TICKET_STATUS]
export const TICKET_STATUS_WORD: Readonly<Record<TicketStatus, string>> = {
  1: '待受理',
  2: '处理中',
  3: '已回复',
  4: '已关闭',
}
export const ticketStatus = z.literal([1, 2, 3, 4])
/** Working hours of advisers, shown on list and detail (account 2). */
export const ADVISER_HOURS = '工作日 9:00-18:00'

export const ticketNumber = codeString().min(1, TICKET_NUMBER_REQUIRED).max(32)
export const TOO_MANY_FILES = `最多上传${UPLOAD.ticketFiles}个文件`
const fileIds = z
  .array(z.string().max(64))
  .max(UPLOAD.ticketFiles, TOO_MANY_FILES)
  .refine((ids) => new Set(ids).size === ids.length, '同一个文件只能使用一次')
  .default([])

const { titleMin, titleMax, contentMin, contentMax, replyMax, gradeMax, appraisalMax } = TICKET
const TITLE_LENGTH = `标题长度为${titleMin}-${titleMax}个字符`
/** Fields of the page that creates a ticket (account 5). */
export const ticketForm = z.object({
  title: required('标题').pipe(displayText.min(titleMin, TITLE_LENGTH).max(titleMax, TITLE_LENGTH)),
  content: required('概述').pipe(
    prose.min(contentMin, `概述不能少于${contentMin}个字符`).max(contentMax, lengthText('概述', contentMax)),
  ),
  type: numeric(ticketType),
  file_ids: fileIds,
})
export const replyContent = required('回复内容').pipe(
  prose.min(1, '回复内容不能为空').max(replyMax, lengthText('回复内容', replyMax)),
)
export const appraisalForm = z.object({
  grade: numeric(
    z
      .int({ error: sentenceOf('评分') })
      .min(1, '评分不能为空')
      .max(gradeMax, `评分最高${gradeMax}分`),
  ),
  content: prose.max(appraisalMax, lengthText('评价', appraisalMax)).default(''),
})

const target = z.object({ ticket_number: ticketNumber })
const EXAMPLE_TARGET = { ticket_number: EXAMPLE.ticket_number }
const one = { input: target, example: EXAMPLE_TARGET }

/** Image with an address that is valid for 10 minutes. */
const image = z.object({ file_id: z.string(), name: z.string(), src: z.string() })
export type TicketImage = z.infer<typeof image>

const row = z.object({
  ticket_number: ticketNumber,
  ticket_title: z.string(),
  ticket_type: ticketType,
  ticket_status: ticketStatus,
  create_time: time,
  update_time: time,
  /** Login name of the ticket's author. */
  author: z.string(),
})
export type TicketRow = z.infer<typeof row>

const dialogueRow = z.object({
  reply_id: z.int(),
  side: z.enum(['customer', 'adviser']),
  reply_name: z.string(),
  reply_time: time,
  dialogue_content: z.string(),
  images: z.array(image),
  snapshot: snapshot.nullable(),
})
export const ticketView = row.extend({
  ticket_content: z.string(),
  images: z.array(image),
  snapshot: snapshot.nullable(),
  /** Messages of the ticket, oldest first. */
  dialogue: z.array(dialogueRow),
  /** Appraisal of the ticket; null until it is given. */
  appraise: z.object({ grade: z.int(), content: z.string() }).nullable(),
  close_time: time.nullable(),
})
export type TicketView = z.infer<typeof ticketView>

const READS = ['ticket/lists', 'ticket/info'] as const

export const ticketApi = {
  lists: read('ticket/lists', 'session', {
    reads: 'near',
    summary: 'The caller’s tickets, newest first; of the main account those of all its people',
    ...list({
      row,
      filters: { search, status: z.union([z.literal(''), numeric(ticketStatus)]).default('') },
    }),
  }),
  info: read('ticket/info', 'session', {
    reads: 'near',
    summary: 'One ticket with its conversation',
    ...one,
    output: ticketView,
  }),
  create: write('ticket/create', 'session', {
    summary: 'Submit a ticket, with a snapshot of one member or network',
    input: ticketForm.extend({ snapshot: snapshotTarget.nullable().default(null) }),
    output: target,
    done: 'ticketSubmitted',
    refreshes: READS,
    example: { title: '无法连接', content: '上海总部从今天早上起无法连接分支。', type: 2, file_ids: [] },
  }),
  reply: write('ticket/reply', 'session', {
    summary: 'Reply to the adviser; a ticket that was answered is worked on again',
    input: target.extend({
      content: replyContent,
      file_ids: fileIds,
      snapshot: snapshotTarget.nullable().default(null),
    }),
    done: 'submitted',
    refreshes: READS,
    example: { ...EXAMPLE_TARGET, content: '问题仍然存在', file_ids: [] },
  }),
  appraise: write('ticket/appraise', 'session', {
    summary: 'Appraise the service, once; that closes the ticket',
    input: target.extend(appraisalForm.shape),
    done: 'closed',
    refreshes: READS,
    example: { ...EXAMPLE_TARGET, grade: 5, content: '' },
  }),
  reopen: write('ticket/reopen', 'session', {
    summary: 'Open a closed ticket again, within 7 days and unless it was appraised',
    ...one,
    done: 'reopened',
    refreshes: READS,
  }),
  delete: write('ticket/delete', 'session', {
    summary: 'Delete a ticket that waits or is closed',
    ...one,
    done: 'deleted',
    refreshes: READS,
  }),
  uploadFile: write('ticket/upload_file', 'session', {
    body: 'multipart',
    summary: 'Upload an image for a ticket or reply of the caller; it is kept for a day unless it is used',
    input: z.object({ file: uploadedFile(IMAGE_RULE) }),
    output: z.object({ file_id: z.string(), src: z.string() }),
    example: { file: EXAMPLE_IMAGE },
  }),
} as const
