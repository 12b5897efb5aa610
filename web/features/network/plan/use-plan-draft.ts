import { useEffect, useState } from 'react'
import * as z from 'zod'
import type { ContractForm } from '#ui/form/use-contract-form.ts'
import { useKeptDraft, useTakenDraft } from '#ui/form/use-draft.ts'
import { type Plan, rebase } from './picker/picker.ts'

interface NameInput {
  network_name: string
}
type NameForm = ContractForm<NameInput, NameInput>

const memberNames = z.object({ center: z.array(z.string()), point: z.array(z.string()) })
/** Draft of a plan with the members it began from: others may have changed them meanwhile. */
const planDraft = z.object({ network_name: z.string(), base: memberNames, plan: memberNames })

/** Storage key of a draft; a new network has no number. */
const toKey = (networkNumber: string) => `plan ${networkNumber}`

/** The plan that is chosen: at first the network's, with the changes that were unsaved when the session ran out. */
export function useWantedPlan(networkNumber: string, base: Plan, { setValue }: NameForm) {
  const draft = useTakenDraft(toKey(networkNumber), planDraft)
  const [wanted, setWanted] = useState<Plan>(() => (draft === null ? base : rebase(draft.base, draft.plan, base)))
  useEffect(() => {
    if (draft !== null) setValue('network_name', draft.network_name, { shouldDirty: true })
  }, [draft, setValue])
  return { wanted, setWanted, isRestored: draft !== null }
}

/** Keeps an unsaved plan if the session runs out. */
export function useKeptPlan(
  networkNumber: string,
  isUnsaved: boolean,
  plans: { base: Plan; plan: Plan },
  form: NameForm,
) {
  const network_name = form.watch('network_name')
  useKeptDraft(toKey(networkNumber), isUnsaved ? { network_name, ...plans } : null)
}
