import { STATUS_WORD } from '#contract/monitor/alert.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { paths } from '#lib/paths.ts'
import type { MessageRow } from './api.ts'
import { MESSAGE, MESSAGE_TYPE } from '#contract/message/limits.ts'

/* Type filter, linked objects and repetitions of messages. */

export const toType = (text: string): MessageRow['type'] | '' => MESSAGE.types.find((type) => type === text) ?? ''

/** Objects that a message is about, with their pages; deleted objects are left out. */
export function toObjects(row: MessageRow): readonly { readonly text: string; readonly to: string }[] {
  const { network_number, network_name, router_name, router_note, ticket_number } = row
  const view = row.type === MESSAGE_TYPE.alert ? { at: row.create_time } : {} // alerts open the time of the alert
  const network = { text: network_name, to: paths.network(network_number, view) }
  const router = { text: memberLabel({ note: router_note, router_name }), to: memberPath(router_name, view) }
  const ticket = { text: `工单 ${ticket_number}`, to: paths.ticket(ticket_number) }
  return [
    ...(network_number === '' ? [] : [network]),
    ...(router_name === '' ? [] : [router]),
    ...(ticket_number === '' ? [] : [ticket]),
  ]
}

/** Accounts of software members have a suffix, serials of devices none; only devices have a page. */
const memberPath = (routerName: string, view: Parameters<typeof paths.router>[1]): string =>
  routerName.includes('@') ? paths.routers({ type: 2, search: routerName }) : paths.router(routerName, view)

/** Messages about one matter, newest first: an alert of one rule about one object is a matter, other messages are one each. */
export function foldMessages(rows: readonly MessageRow[]): readonly (readonly [MessageRow, ...MessageRow[]])[] {
  const matters = new Map<string, [MessageRow, ...MessageRow[]]>()
  for (const row of rows) {
    const matter = row.type === MESSAGE_TYPE.alert ? matterOf(row) : String(row.message_id)
    const known = matters.get(matter)
    if (known) known.push(row)
    else matters.set(matter, [row])
  }
  return [...matters.values()]
}

const RECOVERED = `${STATUS_WORD.recovered}：`

/** The title up to its first colon is the rule, where the message names its object. */
function matterOf({ title, router_name, network_number }: MessageRow): string {
  const text = title.startsWith(RECOVERED) ? title.slice(RECOVERED.length) : title
  const [rule] = text.split('：')
  return router_name === '' && network_number === '' ? text : `${rule} ${router_name} ${network_number}`
}
