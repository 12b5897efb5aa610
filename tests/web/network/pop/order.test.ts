import { describe, expect, it } from 'vitest'
import {
  type TicketConfig,
  EMPTY_ORDER,
  listMembers,
  missingIn,
  moveMembers,
  returnMembers,
  toggleArea,
  toPopConf,
} from '#pages/network/pop/tickets/order.ts'

const config: TicketConfig = {
  ticket: {
    bandwidth: { min: 1, max: 200 },
    expired_time: [{ value: 1 }, { value: 2 }],
    pop: [
      { value: 7, name: '上海' },
      { value: 8, name: '广州' },
    ],
  },
  member: ['a', 'b', 'c'].map((router_name) => ({ router_name, note: '' })),
  refused: null,
}
const order = toggleArea(EMPTY_ORDER, 7)!
const names = (of: typeof order, area: number | null) => listMembers(of, config, area).map((m) => m.router_name)

describe('network 2 · an order of POP access', () => {
  it('starts with nothing, and names all that is missing', () => {
    expect(Object.values(missingIn(EMPTY_ORDER))).toEqual(['至少选择一个', '请选择有效期', '请选择带宽'])
    expect(missingIn({ ...order, years: 1, bandwidth: 50 })).toEqual({})
  })
  it('keeps its last area', () => {
    expect(toggleArea(order, 7)).toBeNull()
    expect(toggleArea(toggleArea(order, 8)!, 7)?.areas).toEqual([8])
  })
  it('moves members between pool and area', () => {
    const moved = moveMembers(order, ['a', 'b'], 7)
    expect([names(moved, null), names(moved, 7)]).toEqual([['c'], ['a', 'b']])
    expect(names(moveMembers(moved, ['a'], null), null)).toEqual(['a', 'c'])
    expect(toPopConf(moved)).toEqual({ '7': ['a', 'b'] })
  })
  it('gives members back with an area that is left out, and all of them on the way back', () => {
    const two = moveMembers(moveMembers(toggleArea(order, 8)!, ['a'], 7), ['b'], 8)
    expect(names(toggleArea(two, 7)!, null)).toEqual(['a', 'c'])
    expect(names(returnMembers(two), null)).toEqual(['a', 'b', 'c'])
    expect(toPopConf(returnMembers(two))).toEqual({ '7': [], '8': [] })
  })
})
