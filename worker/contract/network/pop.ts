import * as z from 'zod'
import { EXAMPLE, read, write } from '#contract/kernel/endpoint.ts'
import {
  TICKET_NUMBER_REQUIRED,
  codeString,
  networkNumber,
  numeric,
  routerName,
  search,
  time,
} from '#contract/kernel/fields.ts'
import { rangedList } from '#contract/kernel/list.ts'
import { EXAMPLE_MEMBER, ovForm, settingRevision } from './fields.ts'
import { NETWORK_TICKET, NETWORK_TICKET_STATUS, NETWORK } from './limits.ts'

/* Endpoints of POP access: orders (network 2, 3, 4) and use of the resource. ops/network-ticket.ts has the operator's. */

const { unprocessed, processing, completed, cancelled } = NETWORK_TICKET_STATUS
export type NetworkTicketStatus = (typeof NETWORK_TICKET_STATUS)[keyof typeof NETWORK_TICKET_STATUS]
export const NETWORK_TICKET_WORD: Readonly<Record<NetworkTicketStatus, string>> = {
  [unprocessed]: '未处理',
  [processing]: '处理中',
  [completed]: '已完成',
  [cancelled]: '已取消',
}
export const NETWORK_TICKET_NAME = '接入POP'

export const networkTicketNumber = codeString().min(1, TICKET_NUMBER_REQUIRED).max(32)
export const networkTicketStatus = z.literal([unprocessed, processing, completed, cancelled])
const ticketType = numeric(z.literal(NETWORK_TICKET.type)).prefault(NETWORK_TICKET.type)

const { min, max } = NETWORK_TICKET.bandwidth
const BANDWIDTH = `带宽取值范围在${min}~${max}`
/** Mbit/s, of each area. */
export const areaBandwidth = numeric(z.int(BANDWIDTH).min(min, BANDWIDTH).max(max, BANDWIDTH))
export const AREAS_REQUIRED = '至少选择一个'
const ticketForm = z.object({
  /** Areas, by the `value` of ticket_config. */
  pop: z
    .array(numeric(z.int('请选择POP区域').positive('请选择POP区域')), { error: AREAS_REQUIRED })
    .min(1, AREAS_REQUIRED)
    .max(NETWORK_TICKET.areasMax, `最多选择${NETWORK_TICKET.areasMax}个区域`)
    .refine((values) => new Set(values).size === values.length, '区域不能重复'),
  expired_time: numeric(z.literal(NETWORK_TICKET.years, '请选择有效期')), // years
  bandwidth: areaBandwidth,
})
/** Members by the value of their area. A member without an entry uses no area. */
const popConf = z.record(z.string(), z.array(routerName).max(2_000)).default({})

const popOption = z.object({ value: z.int(), name: z.string() })
const ticketMember = z.object({ router_name: routerName, note: z.string() })

export const networkTicketRow = z.object({
  network_ticket_number: networkTicketNumber,
  network_number: networkNumber,
  network_name: z.string(), // empty once the network is deleted
  network_ticket_type: z.int(),
  network_ticket_status: networkTicketStatus,
  service_name: z.string(),
  create_time: time,
  complete_time: time.nullable(), // in status 3 only
})

const target = z.object({ network_ticket_number: networkTicketNumber })
const one = { input: target, example: { network_ticket_number: EXAMPLE.network_ticket_number } }
const TICKET_READS = ['network/ticket_lists', 'network/ticket_view'] as const

const areas = { router_name: routerName, revision: settingRevision }

export const frForm = z.object({
  network_fr_id: numeric(z.int().positive()),
  mode: numeric(z.literal([1, 2])), // 1: prefers centre, 2: prefers POP
})

export const pop = {
  ticketLists: read('network/ticket_lists', 'session', {
    reads: 'near',
    summary: 'Orders of POP access, newest first',
    ...rangedList({
      row: networkTicketRow,
      filters: { search, status: z.union([z.literal(''), numeric(networkTicketStatus)]).default('') },
    }),
  }),
  ticketView: read('network/ticket_view', 'session', {
    reads: 'near',
    summary: 'One order with its attributes',
    ...one,
    output: networkTicketRow.extend({
      note: z.string(), // by the operator
      attributes: z.object({
        bandwidth: z.int(),
        expired_time: z.int(),
        pop: z.array(popOption),
        pop_conf: z.record(z.string(), z.array(routerName)),
      }),
      /** Members in pop_conf. */
      member: z.array(ticketMember),
    }),
  }),
  ticketConfig: read('network/ticket_config', 'session', {
    reads: 'near',
    summary: 'What an order of a network may contain',
    input: z.object({ type: ticketType, network_number: networkNumber }),
    output: z.object({
      ticket: z.object({
        bandwidth: z.object({ min: z.int(), max: z.int() }),
        expired_time: z.array(z.object({ value: z.int() })),
        pop: z.array(popOption),
      }),
      member: z.array(ticketMember),
      /** Reason against an order for the network, with its open order; null if an order is possible. */
      refused: z.object({ reason: z.string(), msg: z.string(), network_ticket_number: z.string() }).nullable(),
    }),
    example: { network_number: EXAMPLE.network_number },
  }),
  ticket: write('network/ticket', 'network:edit', {
    summary: 'Order POP access for a network; one order of a network at a time',
    input: z.object({
      network_number: networkNumber,
      network_ticket_type: ticketType,
      ticket: ticketForm,
      pop_conf: popConf,
    }),
    output: target,
    done: 'submitted',
    refreshes: TICKET_READS,
    example: {
      network_number: EXAMPLE.network_number,
      ticket: { pop: [1], expired_time: 1, bandwidth: 50 },
      pop_conf: { '1': [EXAMPLE.router_name] },
    },
  }),
  ticketCancel: write('network/ticket_cancel', 'network:edit', {
    summary: 'Cancel an order that is processed or completed',
    ...one,
    done: 'cancelled',
    refreshes: TICKET_READS,
  }),
  ticketDelete: write('network/ticket_delete', 'network:edit', {
    summary: 'Delete an order that is unprocessed or cancelled',
    ...one,
    done: 'deleted',
    refreshes: TICKET_READS,
  }),
  fr: write('network/fr', 'network:edit', {
    summary: 'Choose the POP resource of a network; 423 while its IP config lacks the segments of POP nodes',
    input: frForm.extend({ network_number: networkNumber, revision: settingRevision }),
    done: 'set',
    refreshes: [
      'network/lists',
      'network/info',
      'network/member',
      'network_fr/lists',
      'network_fr/config',
      'network_fr/ov',
    ],
    example: { network_number: EXAMPLE.network_number, network_fr_id: 1, mode: 1 },
  }),
  memberOv: write('network/member_ov', 'network:edit', {
    summary: 'Main and backup area of one member, or of many in `members`',
    input: ovForm.safeExtend({
      network_number: networkNumber,
      ...areas,
      router_name: routerName.optional(),
      /** Several members, in place of the fields of one. */
      members: z.array(ovForm.safeExtend(areas)).min(1, '请选择成员').max(NETWORK.membersMax).optional(),
    }),
    done: 'set',
    refreshes: ['network/info', 'network/member'],
    example: {
      ...EXAMPLE_MEMBER,
      ov_id_main: 1,
      ov_id_backup: 0,
    },
  }),
} as const
