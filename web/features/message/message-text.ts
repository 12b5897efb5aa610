import { memberLabel } from '#lib/format/member-label.ts'
import { paths } from '#lib/paths.ts'
import type { MessageRow } from './api.ts'
import { MESSAGE, MESSAGE_TYPE } from '#contract/message/limits.ts'

/* Type filter and linked objects of messages. */

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
