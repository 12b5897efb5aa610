import type { ErrorKey } from '#contract/kernel/errors.ts'
import { ApiError } from '#lib/call/transport.ts'
import { type Question, confirm } from './confirm.tsx'

/* Changes of members that may also end a setting which uses them: asks, then sends again with `confirm`. */

/** `confirm` also turns off the settings that use the member. */
type Confirmed = { readonly confirm?: 1 }

const ENDINGS: readonly ErrorKey[] = ['ROUTER_IN_ROUTING', 'ROUTER_IN_CENTER_LINK', 'CENTER_LINK_HAS_TWO']

/** The change was refused because a setting in use depends on the member. */
const endsSetting = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.reason !== undefined && ENDINGS.includes(error.reason)

/** Runs a change of members. If a setting in use refuses it, asks to end that setting too. */
export async function runOrConfirmEnding(send: (sent: Confirmed) => Promise<unknown>): Promise<boolean> {
  const refused = await send({}).then(
    () => null,
    (error: unknown) => {
      if (endsSetting(error)) return error
      throw error
    },
  )
  return refused === null ? true : confirmEnding(refused, send)
}

const confirmEnding = ({ msg }: ApiError, send: (sent: Confirmed) => Promise<unknown>): Promise<boolean> =>
  confirm({
    title: '确认后关闭并移除？',
    body: `${msg}。`,
    verb: '确认后关闭并移除',
    danger: true,
    run: () => send({ confirm: 1 }),
  })

/** Like `runOrConfirmEnding`, after a question of its own; the second question follows the first. */
export async function confirmWithEnding(
  question: Omit<Question, 'run'>,
  send: (sent: Confirmed) => Promise<unknown>,
): Promise<boolean> {
  let refused: ApiError | null = null
  const run = async () => {
    try {
      await send({})
    } catch (error) {
      if (!endsSetting(error)) throw error
      refused = error
    }
  }
  if (!(await confirm({ ...question, run }))) return false
  return refused === null ? true : confirmEnding(refused, send)
}
