import { type ErrorKey, refuse } from '#contract/kernel/errors.ts'

/** Returns the first row of a query; refuses the call if there is none. */
export async function requireRow<Row>(rows: PromiseLike<readonly Row[]>, refusal: ErrorKey): Promise<Row> {
  const [row] = await rows
  return row ?? refuse(refusal)
}
