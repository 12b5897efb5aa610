import * as z from 'zod'
import { address, documentLinkId, documentNetworkNumber, segment } from './document-fields.ts'

/*
 * Questions to a device about one of its networks, sent as commands that no row stores, and their answers, the data of
 * their results. The device answers for that network alone: of others neither number nor address leaves it.
 */

export const QUESTION = {
  capability: 'diagnose',
  answerMs: 12_000,
  lookupMs: 6_000, // of a question that sends nothing
  hopsMax: 16,
  countMax: 10,
  pageRows: 400,
  pagesMax: 10,
} as const

const network_number = documentNetworkNumber
const destination = address
export const deviceQuestion = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('ping'),
    network_number,
    destination,
    count: z.int().min(1).max(QUESTION.countMax),
  }),
  z.object({ kind: z.literal('traceroute'), network_number, destination }),
  /** Route of a packet by the device's routing, which sends nothing. */
  z.object({
    kind: z.literal('route'),
    network_number,
    destination,
    /** Address in a LAN of the device that the packet comes from; null: not from a LAN. */
    source: address.nullable(),
    /** Link over which the packet comes in; null: it begins at the device or in its LAN. */
    arrival: documentLinkId.nullable(),
  }),
  z.object({ kind: z.literal('routes'), network_number, offset: z.int().nonnegative() }),
])
export type DeviceQuestion = Readonly<z.infer<typeof deviceQuestion>>
export type QuestionKind = DeviceQuestion['kind']
export const QUESTION_KINDS = ['ping', 'traceroute', 'route', 'routes'] as const satisfies readonly QuestionKind[]

const text = (max: number) => z.string().transform((whole) => whole.slice(0, max))
const rtt = z.number().nonnegative().nullable()

/** Each with the index of its link. */
const tableRows = z.array(z.tuple([segment, z.int().nonnegative()])).max(QUESTION.pageRows)

export const questionAnswer = {
  ping: z.object({
    source: address,
    sent: z.int().nonnegative().max(QUESTION.countMax),
    received: z.int().nonnegative().max(QUESTION.countMax),
    times_ms: z.array(rtt).max(QUESTION.countMax), // null: no answer
  }),
  traceroute: z.object({
    source: address,
    hops: z.array(z.object({ ip: address.nullable(), rtt_ms: rtt })).max(QUESTION.hopsMax), // null: no answer
  }),
  route: z.object({
    via: z
      .union([
        z.object({ link: documentLinkId }),
        z.object({ local: z.enum(['lan', 'self', 'software']) }),
        z.object({ other: z.literal(true) }), // another network of the device
        z.object({ wan: z.literal(true) }),
      ])
      .nullable(),
    prefix: segment.nullable(),
    session: z.enum(['up', 'down']).nullable(), // routing session over the link
    tunnel: text(64), // reason of the link if it is down
  }),
  routes: z.object({
    total: z.int().nonnegative(), // of both lists
    links: z.array(documentLinkId).max(QUESTION.pageRows),
    rows: tableRows, // of the kernel
    lost: tableRows.optional(), // chosen by BGP, and not in the kernel; on the pages after the others
  }),
} as const satisfies Readonly<Record<QuestionKind, z.ZodType>>

export type QuestionAnswer<K extends QuestionKind> = Readonly<z.infer<(typeof questionAnswer)[K]>>

/** Reasons with which a device refuses a question. Others do not reach a person. */
export const QUESTION_REFUSAL = {
  network: '设备上没有该组网',
  noRoute: '没有经本组网到达该地址的路由',
  address: '该地址不能作为诊断的目的地址',
  source: '源地址不在该设备的LAN网段内',
  program: '设备缺少诊断所需的程序',
} as const
export const QUESTION_FAILED = '设备未能执行诊断'

export type QuestionReply<K extends QuestionKind = QuestionKind> =
  | { readonly state: 'answered'; readonly data: QuestionAnswer<K> }
  | { readonly state: 'offline' | 'too_old' | 'busy' | 'silent' }
  | { readonly state: 'refused'; readonly reason: string }

/** Calls of a router's hub. */
export interface RouterQuestionsRpc {
  /** Asks the device. Busy while another question waits: one at a time, and one about its routes beside it. */
  ask(question: DeviceQuestion): Promise<QuestionReply>
}
