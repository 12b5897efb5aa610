import { EXAMPLE, type Endpoint, bodyKinds } from '#contract/kernel/endpoint.ts'
import { createPng } from './images.ts'
import { createMemberFile } from './workbooks.ts'

/** Ids that a call may name. */
export interface Ids {
  readonly network: string
  readonly router: string
  readonly ticket: string
  readonly support: string
}

/** Ids of nothing. */
export const NAMES: Ids = { network: 'none0000', router: 'NL-NONE', ticket: 'none', support: 'nobody' }

const memberFile: File = await createMemberFile([['router_name'], ['nobody']])
const image = new File([createPng() as Uint8Array<ArrayBuffer>], 'map.png')
const certificate = new File(['-----'], 'ca.crt')

/** The endpoint's example with these ids in place of its own, and a file where it takes one. */
export function toInput(spec: Endpoint, ids: Ids): Record<string, unknown> {
  const input = JSON.parse(
    JSON.stringify(spec.example)
      .replaceAll(EXAMPLE.network_number, ids.network)
      .replaceAll(EXAMPLE.router_name, ids.router)
      .replaceAll(EXAMPLE.network_ticket_number, ids.ticket)
      .replaceAll(EXAMPLE.ticket_number, ids.support),
  ) as Record<string, unknown>
  if (!bodyKinds(spec).includes('multipart')) return input
  const name = String(input['file'])
  return { ...input, file: name.endsWith('.png') ? image : name.endsWith('.crt') ? certificate : memberFile }
}
