import { z } from 'zod'
import { type HubFrame, commandResult } from '#contract/kernel/protocol.ts'
import { AGENT } from '#contract/kernel/hub-limits.ts'
import { toDataText, withDataDropped } from '#domain/network/members/job-data.ts'
import { messageOfError } from './log.ts'
import type { Store } from './store.ts'

/*
 * Commands from the hub. They start in their order, and none waits for the end of another. Idempotent: a repeated id is
 * answered with the stored result.
 */

type Command = Extract<HubFrame, { t: 'command' }>
export type CommandResult = z.infer<typeof commandResult>
/** Remark on the result, and its data, a JSON value within JOB.dataMax. */
interface Outcome {
  readonly reason?: string
  readonly data?: unknown
}
export type Handler = (params: Command['params']) => Promise<Outcome | void>

const RECORD = 'jobs' // on the disks of devices

export async function readCommandResults(store: Store): Promise<readonly CommandResult[]> {
  const kept = z.array(commandResult).safeParse(await store.load(RECORD))
  return kept.success ? kept.data : []
}

export class Commands {
  private readonly store: Store
  private readonly handlers: Readonly<Record<string, Handler>>
  private readonly results: Map<string, CommandResult>
  private readonly running = new Map<string, Promise<CommandResult>>()

  /** @param results stored results, from `readCommandResults`. */
  constructor(store: Store, handlers: Readonly<Record<string, Handler>>, results: readonly CommandResult[]) {
    this.store = store
    this.handlers = handlers
    this.results = new Map(results.map((result) => [result.id, result]))
  }

  /** @param serverNow epoch ms; expiry is the server's time. */
  async run(command: Command, serverNow: number): Promise<CommandResult> {
    const { id } = command
    const known = this.results.get(id) ?? this.running.get(id)
    if (known) return known
    const result = this.execute(command, serverNow)
    this.running.set(id, result)
    return result.finally(() => this.running.delete(id))
  }

  private async execute({ id, kind, params, expires_at }: Command, serverNow: number): Promise<CommandResult> {
    const outcome = await this.attempt(kind, params, expires_at <= serverNow)
    const result: CommandResult = { t: 'job_result', id, ...outcome }
    this.results.set(id, result)
    for (const old of [...this.results.keys()].slice(0, -AGENT.commandsKept)) this.results.delete(old)
    await this.store.save(RECORD, [...this.results.values()]).catch(() => {}) // best effort: the result is sent even if it cannot be stored
    return result
  }

  private async attempt(
    kind: string,
    params: Command['params'],
    isExpired: boolean,
  ): Promise<Omit<CommandResult, 't' | 'id'>> {
    if (isExpired) return { state: 'expired', reason: '命令到达设备时已过期' }
    const handler = Object.hasOwn(this.handlers, kind) ? this.handlers[kind] : undefined
    if (!handler) return { state: 'failed', reason: '设备不支持该命令，请升级设备版本' }
    try {
      return { state: 'done', ...withinBounds((await handler(params)) ?? {}) }
    } catch (error) {
      return { state: 'failed', reason: `命令执行失败：${messageOfError(error)}`.slice(0, 200) }
    }
  }
}

/** Data beyond its bounds is left out, with the reason: what the command has done stands. */
const withinBounds = (outcome: Outcome): Outcome =>
  outcome.data === undefined || toDataText(outcome.data) !== null
    ? outcome
    : { reason: withDataDropped(outcome.reason ?? '') }
