import { FIRST_STEPS, type FirstStep, type FirstStepState } from '#contract/overview/index.ts'
import { MEMBER_STATES, type StateCount, hasCome, sumStates } from '#domain/health/member.ts'

/* First steps of a new account, a checklist on the overview page. */

/** Facts of the account, limited to the caller's role. */
export interface FirstStepFacts {
  readonly seats: number
  readonly hardware: StateCount
  readonly software: StateCount
  readonly networks: number
  readonly isMonitored: boolean
}

const cameOnce = (count: StateCount): boolean => MEMBER_STATES.some((state) => hasCome(state) && count[state] > 0)

const IS_DONE: Readonly<Record<FirstStep, (facts: FirstStepFacts) => boolean>> = {
  // The end of a service does not reopen this step.
  service: ({ seats, networks }) => seats > 0 || networks > 0,
  hardware: ({ hardware }) => sumStates(hardware) > 0,
  software: ({ software }) => sumStates(software) > 0,
  network: ({ networks }) => networks > 0,
  online: ({ hardware, software }) => cameOnce(hardware) || cameOnce(software),
  alert: ({ isMonitored }) => isMonitored,
}

/** Steps with their states; none once all are done or dismissed. */
export function firstSteps(facts: FirstStepFacts, dismissed: readonly string[]): FirstStepState[] {
  const steps = FIRST_STEPS.map((step): FirstStepState => {
    const state = IS_DONE[step](facts) ? 'done' : dismissed.includes(step) ? 'dismissed' : 'open'
    return { step, state }
  })
  return steps.some(({ state }) => state === 'open') ? steps : []
}
