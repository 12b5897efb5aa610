import { useEffect, useState } from 'react'
import type { z } from 'zod'
import { consumeDraft, registerDraft } from '#lib/session/drafts.ts'
import { useLatest } from '#lib/use-latest.ts'

/** Form values kept when the session ran out, read once; null without a draft, or if it no longer fits the schema. */
export function useTakenDraft<D>(key: string, schema: z.ZodType<D>): D | null {
  const [taken] = useState(() => schema.safeParse(consumeDraft(key)).data ?? null)
  return taken
}

/** Keeps what an open form holds if the session runs out; null keeps nothing. Passwords and codes are left out by the caller. */
export function useKeptDraft(key: string, draft: unknown): void {
  const latest = useLatest(draft)
  useEffect(() => registerDraft(key, () => latest.current), [key, latest])
}
