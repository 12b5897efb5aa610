/** One JSON line per event; never a token, code, password or query string. */
export function log(
  level: 'info' | 'warn' | 'error',
  event: string,
  fields: Readonly<Record<string, unknown>> = {},
): void {
  // eslint-disable-next-line no-console -- the one place that writes to the Worker log
  console[level](JSON.stringify({ level, event, ...fields }))
}

/** What a fault says about itself, for the log only. A failed query names its bound values, so only its cause is told. */
export function faultText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('params' in error && error.cause) return faultText(error.cause)
  return error.stack ?? error.message
}
