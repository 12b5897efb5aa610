import * as z from 'zod'
import { type PrefixRow, prefixRows } from '#contract/network/fields.ts'
import type { ContractForm } from '#ui/form/use-contract-form.ts'

export const prefixListSchema = z.object({ prefix: prefixRows })
export type PrefixInput = z.input<typeof prefixListSchema>
/** Values that the schema makes of the input. */
export interface PrefixValues {
  prefix: PrefixRow[]
}
export type PrefixForm = ContractForm<PrefixInput, PrefixValues>
