import * as z from 'zod'
import { EXAMPLE, write, read } from '#contract/kernel/endpoint.ts'
import { numeric, routerName, search, wireBoolean } from '#contract/kernel/fields.ts'
import { withPhoneText } from '#contract/kernel/input/phone.ts'
import { list, rangedList } from '#contract/kernel/list.ts'
import { boundPhone, checkBoundPhone, joinedNetwork, memberPassword } from './fields.ts'
import { routerRow } from './views.ts'
import { EXAMPLE_FILE, SHEET_RULE, uploadedFile } from '#contract/kernel/uploads.ts'
import { NETWORK_READS } from '#contract/network/views.ts'

/* Endpoints of software members: lists by kind, files of members, phones, passwords. */

/** Binds a phone. `type` 2 with `code` confirms a phone that another member has (answer 401). */
export const phoneForm = z
  .object({ router_name: routerName, ...boundPhone })
  .overwrite(withPhoneText)
  .superRefine(checkBoundPhone(true))
const passwordForm = z.object({ router_name: routerName, password: memberPassword })

/** Member with its bytes: download to it, upload from it. */
const usageRow = z.object({ name: z.string(), download_flow_sum: z.int(), upload_flow_sum: z.int() })

const file = { reply: 'file', output: z.unknown() } as const

const fileResult = z.object({
  /**
   * Result of each row. `row` is its number in the spreadsheet, `msg` the reason for which it was left out, `reason` the
   * key of a refusal that is not about a cell.
   */
  result: z.array(
    z.object({
      row: z.int(),
      router_name: z.string(),
      ok: wireBoolean,
      msg: z.string(),
      reason: z.string().optional(),
    }),
  ),
  /** Sentence with the number of successful rows. */
  msg: z.string(),
})
const memberFile = uploadedFile(SHEET_RULE)
export const batchForm = z.object({
  file: memberFile,
  network_number: joinedNetwork,
  all: numeric(wireBoolean).prefault(1), // 1: a wrong row stops the whole file
})

export const software = {
  software: read('router/software', 'session', {
    summary: 'Software members, newest first',
    ...list({ row: routerRow, filters: { search } }),
  }),
  hardware: read('router/hardware', 'session', {
    summary: 'Hardware members, newest first',
    ...list({ row: routerRow, filters: { search } }),
  }),
  usage: read('router/usage', 'session', {
    reads: 'near',
    summary:
      'Traffic of dials: of each software member, of one with router_name by network; the last 7 days unless a range is given',
    ...rangedList({ row: usageRow, filters: { search, router_name: z.literal('').or(routerName).default('') } }),
  }),
  export: read('router/export', 'router:edit', {
    summary: 'Workbook of the software members that the caller sees',
    ...file,
  }),
  softwareTemplate: read('router/software_template', 'session', {
    summary: 'Workbook to fill in for router/batch',
    ...file,
  }),
  softwareDeleteTemplate: read('router/software_delete_template', 'session', {
    summary: 'Workbook to fill in for router/batch_delete_file',
    ...file,
  }),
  batch: write('router/batch', 'router:create', {
    body: 'multipart',
    summary: 'Add the software members of a workbook, also straight into a network',
    input: batchForm,
    output: fileResult,
    refreshes: ['router/lists', 'router/quantity', 'router/member', ...NETWORK_READS],
    example: { file: EXAMPLE_FILE, network_number: EXAMPLE.network_number },
  }),
  batchDeleteFile: write('router/batch_delete_file', 'router:delete', {
    body: 'multipart',
    summary: 'Delete the software members that a workbook names; one that may not go stays and says why',
    input: z.object({ file: memberFile }),
    output: fileResult,
    refreshes: ['router/lists', 'router/quantity', 'router/member', ...NETWORK_READS],
    example: { file: EXAMPLE_FILE },
  }),
  phone: write('router/phone', 'router:edit', {
    summary: 'Bind a phone to a software member; 401 where another member has it, until its code confirms that',
    input: phoneForm,
    done: 'saved',
    refreshes: ['router/lists', 'router/info'],
    example: { router_name: EXAMPLE.router_name, area_code: '86', phone: '13800000000', type: 1 },
  }),
  password: write('router/password', 'router:edit', {
    summary: 'New password of a software member; the account needs a phone or an e-mail address',
    input: passwordForm,
    done: 'changed',
    example: { router_name: EXAMPLE.router_name, password: 'Weilai26' },
  }),
} as const
