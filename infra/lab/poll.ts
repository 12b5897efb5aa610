import { setTimeout as sleep } from 'node:timers/promises'

/* Waiting in the lab: a look again and again with a limit, never a fixed time. */

const POLL_MS = 100

/** Resolves with the first answer that is right; throws with the last one at the limit. */
export async function poll<T>(
  what: string,
  limitMs: number,
  read: () => Promise<T> | T,
  isRight: (answer: T) => boolean,
): Promise<T> {
  for (const until = Date.now() + limitMs; ; await sleep(POLL_MS)) {
    const answer = await read()
    if (isRight(answer)) return answer
    if (Date.now() > until) throw new Error(`${what}: not within ${limitMs / 1000} s, last ${shorten(answer)}`)
  }
}

const SHOWN = 1_000
const shorten = (answer: unknown): string => {
  const text = JSON.stringify(answer) ?? String(answer)
  return text.length > SHOWN ? `${text.slice(0, SHOWN)} …` : text
}
