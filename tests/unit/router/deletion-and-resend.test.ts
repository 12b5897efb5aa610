import { describe, expect, it } from 'vitest'
import { checkDeletion, checkResend } from '#domain/router/actions.ts'

const led = { name: '华东', memberType: 'center', centerCount: 1 } as const
const shared = { name: '华北', memberType: 'center', centerCount: 2 } as const
const point = { name: '华南', memberType: 'point', centerCount: 1 } as const

describe('a router', () => {
  it('is not deleted while a network would lose its only centre', () => {
    expect(checkDeletion([point, shared], true)).toBeNull()
    expect(checkDeletion([shared, led], true)).toMatchObject({
      key: 'ROUTER_IS_LAST_CENTER',
      params: { network: '华东' },
    })
  })

  it('is not deleted by who may not know of all its networks', () =>
    expect(checkDeletion([led], false)).toMatchObject({ key: 'ROUTER_SHARED' }))

  it('gets its configuration again only as hardware, in a network that works or in none', () => {
    expect(checkResend(2, [])).toMatchObject({ key: 'HARDWARE_ONLY' })
    expect(checkResend(1, [])).toBeNull()
    expect(checkResend(1, [{ status: 0 }, { status: 1 }])).toBeNull()
    expect(checkResend(1, [{ status: 0 }])).toMatchObject({ key: 'NETWORK_SUSPENDED' })
  })
})
