import type * as z from 'zod'
import type { authSourceKeptForm } from '#contract/auth-source/index.ts'
import type { ContractForm } from '#ui/form/use-contract-form.ts'
import type { SourceRow } from './api.ts'

export type SourceValues = z.input<typeof authSourceKeptForm>
export type SourceSent = z.output<typeof authSourceKeptForm>
export type SourceForm = ContractForm<SourceValues, SourceSent>

/** Fields kept when a session runs out: all but the secret. */
export const KEPT_FIELDS = ['type', 'name', 'app_id', 'agent_id', 'corp_id', 'auth_domain'] as const

/** Form values of a source; null adds one. */
export function toValues(source: SourceRow | null): SourceValues {
  const { type = 'wechat', name = '', app_id = '', agent_id = '', corp_id = '', file_name = '' } = source ?? {}
  return {
    type,
    name,
    app_id,
    agent_id,
    corp_id,
    app_secret: '',
    auth_domain: source?.own_domain === 1 ? source.auth_domain : '',
    file_name,
    file_content: codeIn(file_name),
  }
}

/** WeCom's file `WW_verify_<code>.txt` holds the code of its name. */
const codeIn = (fileName: string): string => /^WW_verify_(\w+)\.txt$/.exec(fileName)?.[1] ?? ''
