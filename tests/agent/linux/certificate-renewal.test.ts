import { afterAll, beforeAll, expect, it } from 'vitest'
import { isRestartDue } from '#infra/agent/drivers/linux/openvpn/certificate-renewal.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { Authority } from './support/authority.ts'

const DAY = 86_400_000
let authority: Authority
beforeAll(() => {
  authority = new Authority()
})
afterAll(() => authority.remove())

it('a process restarts for a renewed certificate before the end of its own, or for the mark of a gateway', async () => {
  const { certificate: plain } = authority.issue('NL-A', 'both')
  const renewed = authority.renew('NL-A', 'both')
  const marked = authority.renew('NL-A', 'gateway')
  const ending = authority.renew('NL-A', 'gateway', 19)
  const offenders = await findOffenders([
    ['the same', 'software-server', ending, ending, false],
    ['a renewal', 'software-server', plain, renewed, false],
    ['a renewal 19 days before the end', 'client', ending, marked, true],
    ['a certificate that cannot be read', 'client', '', marked, true],
    ['the mark', 'software-server', plain, marked, true],
    ['the mark for routers, which ask for the name', 'router-server', plain, marked, false],
    ['the mark for a client', 'client', plain, marked, false],
    ['the end of the mark', 'software-server', marked, plain, false],
  ] as const)((_, role, running, next, isDue) => {
    expect(isRestartDue(role, running, next, Date.now())).toBe(isDue)
  })
  expect(offenders).toEqual([])
})

it('a certificate restarts its process 20 days before its end', () => {
  const { certificate } = authority.issue('NL-B', 'both')
  const renewed = authority.renew('NL-B', 'both')
  const end = Date.now() + 90 * DAY
  expect(isRestartDue('client', certificate, renewed, end - 21 * DAY)).toBe(false)
  expect(isRestartDue('client', certificate, renewed, end - 19 * DAY)).toBe(true)
})
