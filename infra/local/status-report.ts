import type { Output } from '#contract/kernel/endpoint.ts'
import { timeText } from '#contract/kernel/time.ts'
import type { opsApi } from '#contract/ops/index.ts'

/* Status of an installation as lines for a terminal. */

export type Status = Output<typeof opsApi.status>

const GUIDE = 'infra/docs/operate.md'
const LEVEL_CHARS = 8
const NAME_CHARS = 12

/** A line for each indicator; one that is not well is followed by its threshold and its runbook. */
export function toStatusReport(status: Status): string {
  const lines = status.indicators.flatMap(({ name, level, value, threshold, runbook }) => [
    `${level.padEnd(LEVEL_CHARS)}${name.padEnd(NAME_CHARS)}${value}`,
    ...(level === 'warn' || level === 'bad'
      ? [`${' '.repeat(LEVEL_CHARS + NAME_CHARS)}from ${threshold}; ${GUIDE}#${runbook}`]
      : []),
  ])
  return [`${status.level.toUpperCase()}  ${timeText(status.to)}  release ${status.release}`, ...lines].join('\n')
}

interface Watch {
  read(): Promise<Status>
  print(text: string): void
  pause(): Promise<void>
}

/** Prints the status again and again, and why it cannot be read. Never returns. */
export async function watchStatus({ read, print, pause }: Watch): Promise<never> {
  for (;;) {
    print(
      await read().then(
        toStatusReport,
        (error: unknown) => `BAD  ${error instanceof Error ? error.message : String(error)}`,
      ),
    )
    await pause()
  }
}
