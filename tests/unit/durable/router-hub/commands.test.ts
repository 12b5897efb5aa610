import { describe, expect, it } from 'vitest'
import { JOB } from '#contract/network/limits.ts'
import {
  addCommand,
  expireCommands,
  finishCommand,
  commandsDue,
  endedCommands,
  isWaiting,
  newJobs,
  pendingCommands,
} from '#durable/router-hub/state/commands.ts'

const T0 = 1_800_000_000_000

describe('commands', () => {
  const command = (id: string, expiresAt = T0 + 1000) => ({ id, kind: 'report', params: {}, expiresAt })
  it('keep their order and their first answer', () => {
    let commands = addCommand(addCommand([], command('a')), command('b'))
    expect(pendingCommands(commands, T0).map(({ id }) => id)).toEqual(['a', 'b'])
    commands = finishCommand(commands, { t: 'job_result', id: 'a', state: 'done' })
    expect(finishCommand(commands, { t: 'job_result', id: 'a', state: 'failed' })).toBe(commands)
    expect(finishCommand(commands, { t: 'job_result', id: 'x', state: 'done' })).toBe(commands)
    expect(commands.map(({ state }) => state)).toEqual(['done', 'pending'])
  })
  it('expire', () => {
    const commands = addCommand([], command('a'))
    expect(commandsDue(commands)).toBe(T0 + 1000)
    expect(expireCommands(commands, T0 + 999)).toBe(commands)
    expect(expireCommands(commands, T0 + 1000)[0]?.state).toBe('expired')
    expect(commandsDue(expireCommands(commands, T0 + 1000))).toBeNull()
  })
  it('keep the newest, and those that wait for their device in any case', () => {
    let commands = addCommand([], command('waits'))
    for (let i = 0; i < 30; i++)
      commands = finishCommand(addCommand(commands, command(`${i}`)), { t: 'job_result', id: `${i}`, state: 'done' })
    expect(commands).toHaveLength(21)
    expect(pendingCommands(commands, T0).map(({ id }) => id)).toEqual(['waits'])
  })
  it('jobs of the rows are added once; what ended is saved once', () => {
    const commands = addCommand([], command('a'))
    expect(newJobs(commands, [command('a'), command('b')]).map(({ id }) => id)).toEqual(['b'])
    const answer = { t: 'job_result', id: 'a', state: 'failed', reason: '没有连接' } as const
    const ended = finishCommand(commands, answer)
    expect(endedCommands(commands, ended, answer)).toEqual([{ id: 'a', state: 'failed', reason: '没有连接' }])
    expect(endedCommands(ended, ended, answer)).toEqual([])
    expect(endedCommands(commands, expireCommands(commands, T0 + 1000), null)).toEqual([
      { id: 'a', state: 'expired', reason: '' },
    ])
  })
  it.each([
    ['that fits', { sessions: 2 }, { reason: '完成', data: '{"sessions":2}' }],
    ['that is too long', 'x'.repeat(JOB.dataMax), { reason: '完成；结果数据过大，未保留' }],
    ['that is too deep', JSON.parse('['.repeat(2_000) + ']'.repeat(2_000)), { reason: '完成；结果数据过大，未保留' }],
    ['that is null', null, { reason: '完成' }],
  ])('data %s goes with the result, never into the list', (_, data, expected) => {
    const commands = addCommand([], command('a'))
    const answer = { t: 'job_result', id: 'a', state: 'done', reason: '完成', data } as const
    const after = finishCommand(commands, answer)
    expect(endedCommands(commands, after, answer)).toEqual([{ id: 'a', state: 'done', ...expected }])
    expect(Object.keys(after[0]!)).not.toContain('data')
  })
  it('of one kind are two by their parameters, and one while an equal one waits', () => {
    const ask = (name: string) => ({ ...command(name), kind: 'kill_user', params: { name } })
    const commands = addCommand([], ask('a'))
    expect([isWaiting(commands, ask('a')), isWaiting(commands, ask('b'))]).toEqual([true, false])
    expect(isWaiting(commands, { ...ask('a'), kind: 'report' })).toBe(false)
    const ended = finishCommand(commands, { t: 'job_result', id: 'a', state: 'done' })
    expect(isWaiting(ended, ask('a'))).toBe(false)
  })
})
