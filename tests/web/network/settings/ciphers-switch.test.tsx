import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { ciphersSwitch } from '#pages/network/settings/ciphers-switch.ts'
import type { Member } from '#pages/network/live-network.ts'
import { member } from '../member.ts'
import { findSettings, info, open, status } from '../open-network.tsx'

const SINCE = 5_000
const since = { ncp_ciphers_time: SINCE, withdrawn: 0 } as const
/** Confirmed at a time; `state` of its configuration, if that is another one now. */
const at = (
  name: string,
  confirmed: number | null,
  state: Member['config']['state'] = 'applied',
  presence: Member['presence']['state'] = 'online',
) => {
  const one = member(name, { config: state, state: presence })
  const isApplied = state === 'applied'
  return {
    ...one,
    config: {
      ...one.config,
      at: isApplied ? confirmed : 9_000,
      ...(!isApplied && confirmed !== null && { confirmed_at: confirmed }),
    },
  }
}
const pending = (...members: readonly Member[]) =>
  ciphersSwitch(since, members)?.pending.map(({ router_name: name }) => name) ?? []

describe('a switch of ciphers', () => {
  it('is over once each device has confirmed a document since, whatever is pushed later', () => {
    expect(pending(at('a', SINCE), at('b', SINCE + 1, 'queued', 'offline'), at('c', 6_000, 'failed'))).toEqual([])
    expect(ciphersSwitch({ ...since, ncp_ciphers_time: null }, [at('a', null, 'pushing')])).toBeNull()
    expect(ciphersSwitch({ ...since, withdrawn: 1 }, [at('a', null, 'pushing')])).toBeNull()
  })

  it('waits for who has not, offline or failed, and for nobody who never came', () => {
    const members = [
      at('a', 4_999),
      at('b', null, 'queued', 'offline'),
      at('c', 10, 'failed'),
      at('d', null, 'queued', 'never'),
    ]
    expect(pending(...members)).toEqual(['a', 'b', 'c'])
    const found = ciphersSwitch(since, members)
    expect([found?.total, found?.offline.map(({ router_name: name }) => name)]).toEqual([3, ['b']])
  })

  it('shows 切换中 on the page and at the setting, with who is offline', async () => {
    const list = [{ ...at('c1', 6_000), member_type: 'center' } as const, at('p1', 10, 'queued', 'offline')]
    const over = { ncp_ciphers: 'sm', ncp_ciphers_time: SINCE }
    open({ 'network/info': info(list, over), 'network/status': status(list) })
    await screen.findByText('加密算法正在切换为国密（SM4）（切换中）：已确认 1/2 台；离线，上线后切换：p1')
    expect((await findSettings()).queryByText('国密（SM4）（切换中）')).not.toBeNull()
  })
})
