import { RESULT } from '#contract/kernel/result.ts'
import { WRITE_BUDGET } from '#contract/kernel/limits.ts'
import type { Stack } from '../stack.ts'
import { type Session, openSession } from './api.ts'
import { readRows } from './rows.ts'
import { type Sent, writeAnything } from './writes.ts'

/** An account and what its writers have sent. */
export interface Account {
  readonly username: string
  readonly codes: ReadonlyMap<string, string>
  /** Sessions with open consoles that a writer may sign out. */
  readonly guests: Session[]
  readonly sent: Sent[]
}

const PAUSE_MS = 40
const AWAY_MS = 200

/** Writes at random until `isDone`, also while the service is away; a new session before the old one has spent its budget. */
export async function runWriter(stack: Stack, account: Account, isDone: () => boolean): Promise<void> {
  let session: Session | null = null
  for (let written = 0; !isDone();) {
    if (session === null || written >= WRITE_BUDGET.limit) {
      session = await openSession(stack, account.username).catch(() => null)
      written = 0
    }
    const sent = session === null ? null : await writeOnce(stack, account, session)
    if (sent && sent.answer.code !== -1) {
      written += 1
      account.sent.push(sent)
    }
    await new Promise((resolve) => setTimeout(resolve, stack.isUp && session !== null ? PAUSE_MS : AWAY_MS))
  }
}

async function writeOnce(stack: Stack, account: Account, session: Session): Promise<Sent | null> {
  if (!stack.isUp) return null
  const rows = readRows(stack.data, [account.username]).accounts.get(account.username)
  if (!rows) return null
  return writeAnything({ session, rows, codes: account.codes, guests: account.guests })
}

export const isAcknowledged = ({ answer }: Sent): boolean => answer.code === RESULT.ok
