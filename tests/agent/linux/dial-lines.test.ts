import { describe, expect, it } from 'vitest'
import { pushedDns } from '#infra/agent/client/dial.ts'

describe('resolvers of a dial', () => {
  it.each([
    [
      "PUSH: Received control message: 'PUSH_REPLY,route 10.0.0.0 255.0.0.0,dhcp-option DNS 10.0.0.53,ifconfig 1.2.3.4'",
      ['10.0.0.53'],
    ],
    [
      "PUSH: Received control message: 'PUSH_REPLY,dhcp-option DNS 10.0.0.53,dhcp-option DNS 10.0.0.54'",
      ['10.0.0.53', '10.0.0.54'],
    ],
    ["PUSH: Received control message: 'PUSH_REPLY,ifconfig 1.2.3.4 255.255.240.0'", []],
    ['OPTIONS IMPORT: dhcp-option DNS 10.0.0.53', []],
  ])('of %s', (line, dns) => {
    expect(pushedDns(line)).toEqual(dns)
  })
})
