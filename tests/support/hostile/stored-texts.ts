import { deviceApi } from '../../../worker/contract/device.ts'
import { API, OPS } from '../../../worker/contract/index.ts'
import { agentFrame } from '../../../worker/contract/protocol.ts'
import { textFields } from './text-fields.ts'

/** Fields that take any text and are kept for others to read, as `call field`. */
export const STORED_TEXTS = [
  'account/edit_data occupation',
  'contacts/create name',
  'contacts/edit name',
  'network/create network_name',
  'network/edit network_name',
  'network/name network_name',
  'network/edit_prefix prefix[].name',
  'router/add note',
  'router/note note',
  'router/batch_note note',
  'webhook/setting url',
  'client/login version',
  'client/login sys_brand',
  'client/login sys_model',
  'client/login sys_version',
  'client/phone_login version',
  'client/phone_login sys_brand',
  'client/phone_login sys_model',
  'client/phone_login sys_version',
  'ops service/set name',
  'ops ram/create nickname',
  'ops device/provision model',
  'ops announcement/publish title',
  'ops announcement/publish tag',
  'ops announcement/publish content',
  'ops announcement/edit title',
  'ops announcement/edit tag',
  'ops announcement/edit content',
  'ops message/send title',
  'ops message/send content',
  'ops pop/create name',
  'ops pop/edit new_name',
  'ops network_ticket/start note',
  'ops network_ticket/complete note',
  'ops network_ticket/complete name',
  'ops network_ticket/complete shortname',
  'ops network_ticket/cancel note',
  'ops network_ticket/renew note',
  'ops network_ticket/withdraw note',
  'agent hello agent_version',
  'agent hello model',
  'agent hello mac',
  'agent hello capabilities[]',
  'agent hello interfaces[].interface',
  'agent hello interfaces[].interface_uuid',
  'agent hello interfaces[].ip',
  'agent hello interfaces[].mac',
  'agent interfaces interfaces[].interface',
  'agent interfaces interfaces[].interface_uuid',
  'agent interfaces interfaces[].ip',
  'agent interfaces interfaces[].mac',
  'agent counters interfaces{key}',
  'agent config_result reason',
  'agent config_result log',
  'agent job_result reason',
  'agent dial dials[].remote',
  'agent dial dials[].reason',
] as const

/** Why nobody reads what stands in a field of such a name, wherever it is. */
const NOT_KEPT: Readonly<Record<string, RegExp>> = {
  'names what exists, or finds nothing':
    /^(network_number|router_name|center_router_name|main_router|secondary_router|network_ticket_number|uuid|session_id|alert_id|delivery_id|hash|search)$/,
  'is a secret, and kept as a hash or sealed':
    /^(password|newPassword|reset_password|new_password|old_password|secret|code|activation_code|token|refresh_token|s|sign|expires)$/,
  'belongs to one walk': /^(uniqid|nonce|challenge|idempotency_key)$/,
}
/** The same of fields whose name says nothing. */
const NOT_KEPT_FIELDS: Readonly<Record<string, readonly string[]>> = {
  'names what exists, or finds nothing': [
    'login/account username',
    'login/ram username',
    'verify/find_password username',
    'account/edit_data account',
    'announcements/image key',
    'file/content key',
    'network/ticket pop_conf{key}',
    'network/ticket pop_conf{}[]',
    'network/create center[]',
    'network/create point[]',
    'network/edit center[]',
    'network/edit point[]',
    'router/add username',
    'router/replace username',
    'monitor/setting router[]',
    'monitor/setting contacts[]',
    'monitor/setting escalation[]',
    'ops account/create host',
    'ops account/host host',
    'ops ram/create networks[]',
    'ops ram/role role',
    'ops ram/role networks[]',
    'ops device/reset serial',
    'ops member/disable name',
    'ops member/enable name',
    'ops announcement/publish hosts[]',
    'ops announcement/edit hosts[]',
    'ops pop/edit name',
    'ops pop/disable name',
    'ops pop/node name',
    'ops pop/node serial',
    'ops network_ticket/start number',
    'ops network_ticket/complete number',
    'ops network_ticket/cancel number',
    'ops network_ticket/renew number',
    'ops network_ticket/withdraw number',
    'device enrol serial',
    'agent hello serial',
    'agent hello boot_id',
    'agent counters boot_id',
    'agent links links[].id',
    'agent job_result id',
    'agent dial dials[].key',
    'agent dial dials[].name',
  ],
  'is refused by a rule of the whole form': [
    'account/edit_phone phone',
    'router/add phone',
    'router/phone phone',
    'client/phone phone',
    'client/phone_login phone',
    'ops account/create phone',
    'network/dns dns[]',
    'network/edit_ip_address_pool gateway',
    'network/center_link gateway',
    'network/ticket_lists start_time',
    'network/ticket_lists end_time',
    'router/usage start_time',
    'router/usage end_time',
    'logs/software_login start_time',
    'logs/software_login end_time',
    'logs/online start_time',
    'logs/online end_time',
  ],
  'is shown to nobody, until the console has roles': ['ops ram/create role'],
  'is checked or sent, not kept': ['webhook/test url', 'network/impact input{key}', 'network/impact input{}'],
}

const lastName = (field: string): string => /([\w]+)(\{key\}|\{\}|\[\])*$/.exec(field)?.[1] ?? ''

/** Every field of the product in which a person, an operator, a client or a device may write any text. */
export function listTextFields(): readonly string[] {
  const tables = [
    ['', API],
    ['ops ', OPS],
    ['device ', Object.values(deviceApi)],
  ] as const
  const calls = tables.flatMap(([mount, table]) =>
    table.flatMap(({ path, input }) => textFields(input).map((field) => `${mount}${path} ${field}`)),
  )
  const frames = agentFrame.options.flatMap((frame) =>
    textFields(frame).map((field) => `agent ${frame.shape.t.value} ${field}`),
  )
  return [...calls, ...frames]
}

/** Whether it is known that nobody reads the field. */
export const isNotKept = (field: string): boolean =>
  Object.values(NOT_KEPT).some((names) => names.test(lastName(field))) ||
  Object.values(NOT_KEPT_FIELDS).some((fields) => fields.includes(field))
