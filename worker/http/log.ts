/* Log lines of the Worker. */

/** One JSON line per event; never a token, code, password or query string. */
export function log(
  level: 'info' | 'warn' | 'error',
  event: string,
  fields: Readonly<Record<string, unknown>> = {},
): void {
  // eslint-disable-next-line no-console -- the one place that writes to the Worker log
  console[level](JSON.stringify({ level, event, ...fields }))
}

/** Stack or message of a fault for the log. Of a failed query only the cause: its message quotes bound values. */
export function faultText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('params' in error && error.cause) return faultText(error.cause)
  return error.stack ?? error.message
}
