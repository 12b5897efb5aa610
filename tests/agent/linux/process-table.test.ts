import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cutLog } from '#infra/agent/drivers/linux/processes/process-log.ts'
import {
  type ProcessExit,
  type ProcessSpec,
  ProcessTable,
  hashOfText,
} from '#infra/agent/drivers/linux/processes/process-table.ts'
import { readStartTime } from '#infra/agent/drivers/linux/processes/proc.ts'
import { silentLog } from '#infra/agent/log.ts'

/** Real processes of this machine. */
describe('table of processes', () => {
  let folder: string
  let tables: ProcessTable[]
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'netloom-processes-'))
    tables = []
  })
  afterEach(async () => {
    for (const table of tables) {
      for (const name of table.running().keys()) await table.stop(name, 0)
      table.close()
    }
    await rm(folder, { recursive: true, force: true })
  })

  const file = () => join(folder, 'processes.json')
  async function openTable(): Promise<ProcessTable> {
    const table = await ProcessTable.open(file(), silentLog)
    tables.push(table)
    return table
  }
  const script = (name: string, text: string): ProcessSpec => ({
    name,
    argv: ['sh', '-c', text, join(folder, name)],
    cwd: folder,
    text,
    log: join(folder, `${name}.log`),
  })
  const sleeper = (name: string) => script(name, 'while :; do sleep 0.1; done')
  const exitsOf = (table: ProcessTable) => {
    const exits: [string, ProcessExit][] = []
    table.onExit((name, exit) => exits.push([name, exit]))
    return exits
  }
  const isAlive = async (pid: number) => (await readStartTime(pid)) !== null
  const readRecord = async () => JSON.parse(await readFile(file(), 'utf8')).processes

  it('gives a process its own variables beside PATH and LANG, and none of the agent', async () => {
    const table = await openTable()
    vi.stubEnv('NETLOOM_SECRET', 'secret')
    const variables = { MALLOC_MMAP_THRESHOLD_: '131072' }
    await table.start({ ...script('a', 'env; echo over; while :; do sleep 0.1; done'), variables })
    vi.unstubAllEnvs()
    const read = () => readFile(join(folder, 'a.log'), 'utf8')
    await vi.waitFor(async () => expect(await read()).toContain('over\n'))
    const names = (await read()).split('\n').map((line) => line.split('=')[0])
    expect(names).toEqual(expect.arrayContaining(['LANG', 'MALLOC_MMAP_THRESHOLD_', 'PATH']))
    expect(names).not.toContain('NETLOOM_SECRET')
  })

  it('starts a process in a session of its own and appends its output to the log', async () => {
    const table = await openTable()
    await writeFile(join(folder, 'a.log'), 'before\n')
    await table.start(script('a', 'echo out; echo err >&2; while :; do sleep 0.1; done'))
    const { pid, startTime, textHash } = table.running().get('a')!
    expect(startTime).toBe(await readStartTime(pid))
    expect(textHash).toBe(hashOfText('echo out; echo err >&2; while :; do sleep 0.1; done'))
    const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ')
    expect(Number(fields[3])).toBe(pid) // session
    await vi.waitFor(async () => expect(await readFile(join(folder, 'a.log'), 'utf8')).toBe('before\nout\nerr\n'))
  })

  it('adopts what runs, and reports its end', async () => {
    const first = await openTable()
    await first.start(sleeper('a'))
    const { pid } = first.running().get('a')!
    first.close()
    const second = await openTable()
    expect(second.running()).toEqual(first.running())
    const exits = exitsOf(second)
    process.kill(pid, 'SIGKILL')
    await vi.waitFor(() => expect(exits).toEqual([['a', { code: null, signal: null, lastLines: '' }]]), 5_000)
    expect(second.running().size).toBe(0)
    expect(await readRecord()).toEqual([])
  })

  it('adopts no other process with the same number, and nothing of an earlier boot', async () => {
    const first = await openTable()
    await first.start(sleeper('a'))
    first.close()
    const text = await readFile(file(), 'utf8')
    const { startTime } = first.running().get('a')!
    await writeFile(file(), text.replace(`${startTime}`, `${startTime + 1}`))
    expect((await openTable()).running().size).toBe(0)
    await writeFile(file(), text.replace(/"boot_id": "[^"]*"/, '"boot_id": "earlier"'))
    expect((await openTable()).running().size).toBe(0)
  })

  describe('the agent ends between the record and the start', () => {
    const planned = (spec: ProcessSpec) => ({
      name: spec.name,
      argv: spec.argv,
      textHash: hashOfText(spec.text),
      log: spec.log,
      pid: null,
      startTime: null,
    })
    async function writeRecord(...specs: ProcessSpec[]): Promise<void> {
      const bootId = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()
      await writeFile(file(), JSON.stringify({ boot_id: bootId, processes: specs.map(planned) }))
    }
    let child: ChildProcess | undefined
    afterEach(() => child?.kill('SIGKILL'))

    it('finds a process that was started by its command line, and forgets one that was not', async () => {
      const [started, missing] = [sleeper('a'), sleeper('b')]
      child = spawn(started.argv[0]!, started.argv.slice(1), { stdio: 'ignore' })
      await once(child, 'spawn')
      await writeRecord(started, missing)
      await vi.waitFor(async () => expect((await openTable()).running().get('a')?.pid).toBe(child?.pid))
      const record = await readRecord()
      expect(record.map(({ name, pid }: { name: string; pid: number }) => [name, pid])).toEqual([['a', child.pid]])
    })
  })

  it('reports an exit that nobody asked for, with the last lines of its log', async () => {
    const table = await openTable()
    const exits = exitsOf(table)
    await table.start(script('a', 'i=0; while [ $i -lt 200 ]; do i=$((i+1)); echo "line $i"; done; exit 3'))
    await vi.waitFor(() => expect(exits).toHaveLength(1))
    const [name, { code, signal, lastLines }] = exits[0]!
    expect([name, code, signal]).toEqual(['a', 3, null])
    expect(lastLines).toMatch(/^line \d+\n[^]*line 200$/)
    expect(lastLines.length).toBeLessThanOrEqual(1_024)
    await table.start(sleeper('a'))
    process.kill(table.running().get('a')!.pid, 'SIGKILL')
    await vi.waitFor(() => expect(exits[1]?.[1].signal).toBe('SIGKILL'))
  })

  it('stops a process in silence, with force if it does not obey', async () => {
    const table = await openTable()
    const exits = exitsOf(table)
    await table.start(sleeper('a'))
    await table.start(script('b', 'trap "" TERM; echo ready; while :; do sleep 0.1; done'))
    await vi.waitFor(async () => expect(await readFile(join(folder, 'b.log'), 'utf8')).toBe('ready\n'))
    const pids = [...table.running().values()].map(({ pid }) => pid)
    await table.stop('a')
    await table.stop('b', 50)
    await table.stop('c')
    expect(await Promise.all(pids.map(isAlive))).toEqual([false, false])
    expect(exits).toEqual([])
    expect(await readRecord()).toEqual([])
    await table.start(sleeper('a'))
    expect(table.running().has('a')).toBe(true)
  })

  it('starts nothing twice, and forgets what cannot be run', async () => {
    const table = await openTable()
    await table.start(sleeper('a'))
    await expect(table.start(sleeper('a'))).rejects.toThrow('running already')
    await expect(table.start({ ...sleeper('b'), argv: [join(folder, 'absent')] })).rejects.toThrow('ENOENT')
    expect([...table.running().keys()]).toEqual(['a'])
  })

  it('cuts a log above 1 MiB while its process goes on', async () => {
    const table = await openTable()
    const log = join(folder, 'a.log')
    await appendFile(log, `${'x'.repeat(1_000)}\n`.repeat(1_100))
    await table.start(script('a', 'while :; do echo alive; sleep 0.05; done'))
    await vi.waitFor(async () => expect((await stat(log)).size).toBeLessThan(200_000), 8_000)
    const { size } = await stat(log)
    await vi.waitFor(async () => expect((await stat(log)).size).toBeGreaterThan(size))
    expect((await readFile(log, 'utf8')).startsWith('x'.repeat(1_000))).toBe(true)
  })

  it('keeps the lines of a log in order while more come during the cut', async () => {
    const log = join(folder, 'a.log')
    await appendFile(log, 'early\n'.repeat(200_000))
    let isCut = false
    const cutting = cutLog(log).finally(() => (isCut = true))
    for (; !isCut; await setImmediate()) appendFileSync(log, 'late\n')
    await cutting
    appendFileSync(log, 'late\n')
    expect(await readFile(log, 'utf8')).toMatch(/^(early\n)+(late\n)+$/)
  })
})
