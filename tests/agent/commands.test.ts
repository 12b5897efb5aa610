import { describe, expect, it } from 'vitest'
import { JOB } from '#contract/network/limits.ts'
import { Commands, type CommandResult, type Handler, readCommandResults } from '#infra/agent/commands.ts'
import { memoryStore } from '#infra/agent/store.ts'

const NOW = 1_800_000_000_000
const command = (id: string, kind: string, params: Record<string, unknown> = {}) => ({
  t: 'command' as const,
  id,
  kind,
  params,
  expires_at: NOW + 60_000,
})

function open(handlers: Readonly<Record<string, Handler>>, store = memoryStore()) {
  const commands = new Commands(store, handlers, [])
  const answers: CommandResult[] = []
  const run = async (...args: Parameters<typeof command>) => {
    const result = await commands.run(command(...args), NOW)
    answers.push(result)
    return result
  }
  return { run, answers, store }
}

describe('a command that takes long', () => {
  function openHanging() {
    const started: string[] = []
    const release = Promise.withResolvers<void>()
    const hang: Handler = async ({ name }) => {
      started.push(String(name))
      if (name === 'long') await release.promise
      return { data: { name } }
    }
    return { ...open({ hang, report: async () => {} }), started, release }
  }

  it('holds up none: neither one of its kind with other parameters nor one of another kind', async () => {
    const { run, answers, started, release } = openHanging()
    const long = run('1', 'hang', { name: 'long' })
    const others = [run('2', 'hang', { name: 'short' }), run('3', 'report')]
    expect(started).toEqual(['long', 'short']) // in the order they came
    await Promise.all(others)
    expect(answers.map(({ id }) => id).toSorted()).toEqual(['2', '3'])
    release.resolve()
    expect(await long).toMatchObject({ id: '1', state: 'done', data: { name: 'long' } })
  })

  it('runs once: its repetition while it runs gets the same result, and so does one after it', async () => {
    const { run, started, release } = openHanging()
    const both = [run('1', 'hang', { name: 'long' }), run('1', 'hang', { name: 'long' })]
    release.resolve()
    const [first, second] = await Promise.all(both)
    expect(second).toBe(first)
    expect(await run('1', 'hang', { name: 'long' })).toBe(first)
    expect(started).toEqual(['long'])
  })

  it('and others that end before it are all stored', async () => {
    const { run, store, release } = openHanging()
    const long = run('1', 'hang', { name: 'long' })
    await Promise.all(['2', '3', '4'].map((id) => run(id, 'hang', { name: id })))
    release.resolve()
    await long
    const stored = await readCommandResults(store)
    expect(stored.map(({ id, data }) => [id, data])).toEqual(
      ['2', '3', '4', '1'].map((id) => [id, { name: id === '1' ? 'long' : id }]),
    )
  })
})

describe('the data of a result', () => {
  it('beyond its bounds is left out, with the reason; the command is done', async () => {
    const read: Handler = async ({ size }) => ({ reason: '完成', data: 'x'.repeat(Number(size)) })
    const { run } = open({ read })
    expect(await run('1', 'read', { size: JOB.dataMax })).toEqual({
      t: 'job_result',
      id: '1',
      state: 'done',
      reason: '完成；结果数据过大，未保留',
    })
    expect(await run('2', 'read', { size: 5 })).toMatchObject({ data: 'xxxxx', reason: '完成' })
  })
})
