import type { Member } from '../live-network.ts'
import type { DrawingData } from './drawing-data.ts'
import { SUB_PX, textWidth } from './layout/text-fit.ts'

/* Addresses of the nodes of the topology: one form in all nodes of a drawing, so that equal members look equal. */

/** Forms of several addresses, the longest first: whole, the host parts of the further ones, their number. */
const FORMS = ['whole', 'host', 'count'] as const
type AddressForm = (typeof FORMS)[number]

function writeAddresses([first = '', ...further]: readonly string[], form: AddressForm): string {
  if (further.length === 0) return first
  if (form === 'count') return `${first} +${further.length}`
  return [first, ...further.map((address) => (form === 'host' ? hostPart(address) : address))].join(' · ')
}

/** The last two of the four numbers: centres differ in the third, members in the last. */
const hostPart = (address: string): string => `…${address.split('.').slice(-2).join('.')}`

const addressesOf = (member: Member, { pairAddresses }: DrawingData): readonly string[] =>
  member.vpn_ip.length > 0 ? member.vpn_ip : (pairAddresses.get(member.router_name) ?? [])

const formsOf = new WeakMap<DrawingData, Map<number, AddressForm>>()

/** Longest form that fits into the nodes of all members. */
function formFor(painted: DrawingData, width: number): AddressForm {
  const forms = formsOf.get(painted) ?? new Map<number, AddressForm>()
  formsOf.set(painted, forms)
  const known = forms.get(width)
  if (known !== undefined) return known
  const several = [...painted.membersByName.values()]
    .map((member) => addressesOf(member, painted))
    .filter(({ length }) => length > 1)
  const fits = (form: AddressForm) => {
    const texts = several.map((addresses) => writeAddresses(addresses, form))
    const longest = Math.max(0, ...texts.map(({ length }) => length))
    return texts.every((text) => text.length < longest || textWidth(text, SUB_PX) <= width)
  }
  const form = FORMS.find(fits) ?? 'count'
  forms.set(width, form)
  return form
}

interface AddressInput {
  readonly member: Member
  /** Word of the member's state, which is left out where it has no room; empty for none. */
  readonly word: string
  readonly width: number
}

/** Second line of a node. The first address is never cut. */
export function addressText({ member, word, width }: AddressInput, painted: DrawingData): string {
  const addresses = addressesOf(member, painted)
  const text = writeAddresses(addresses, formFor(painted, width))
  const count = writeAddresses(addresses, 'count')
  const texts = [...(word === '' ? [] : [`${word} ${text}`, `${word} ${count}`].map((one) => one.trim())), text, count]
  return texts.find((one) => textWidth(one, SUB_PX) <= width) ?? addresses[0] ?? word
}
