import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import type { Overview } from '../../../../worker/contract/overview.ts'
import { sumStates } from '../../../../worker/domain/health/member.ts'
import { type Staleness, isStale as isStaleness } from '../staleness.ts'
import { toNarrowing } from '../status-parts.ts'
import { AccountCard } from './account-card.tsx'
import { AttentionCard } from './attention-card.tsx'
import { MembersCard } from './members-card.tsx'
import { NetworksCard } from './networks-card.tsx'
import styles from './overview-cards.module.css'
import { PresenceCard } from './presence-card.tsx'
import { StatusLine } from './status-line.tsx'

/** Loaded for accounts with steps to do only; a chunk that fails is no reason to lose the page. */
const FirstStepsCard = lazy(() =>
  import('./first-steps-card.tsx').then(
    (m) => ({ default: m.FirstStepsCard }),
    () => ({ default: () => null }),
  ),
)

const FEW_ROWS = 4

const rowsOf = ({ attention: { count } }: Overview): 'none' | 'few' | 'many' =>
  count === 0 ? 'none' : count <= FEW_ROWS ? 'few' : 'many'

interface OverviewCardsProps {
  readonly overview: Overview
  readonly stale: Staleness
}

/** What is wrong first, then the numbers; a new customer's first steps in place of zeros. */
export function OverviewCards({ overview, stale }: OverviewCardsProps) {
  const [query] = useSearchParams()
  const show = query.get('show')
  const narrowing = toNarrowing(show)
  const { members, first_steps: steps } = overview
  // Without a member every number of the page would be zero.
  const isFilled = sumStates(members.hardware) + sumStates(members.software) > 0
  const isDone = (wanted: string) => steps.some(({ step, state }) => step === wanted && state === 'done')
  const isRunning = isDone('network') && isDone('online')
  const firstSteps = steps.length > 0 && (
    <Suspense fallback={null}>
      <FirstStepsCard steps={steps} isRunning={isRunning} />
    </Suspense>
  )
  const isStale = isStaleness(stale)
  // Nothing to attend to: the steps stand in its place, beside the numbers.
  const isCalm = overview.attention.count === 0 && narrowing === null
  const isBeginning = firstSteps !== false && !isRunning && isFilled && isCalm
  return (
    <>
      {(isFilled || overview.attention.count > 0) && <StatusLine overview={overview} stale={stale} shown={show} />}
      {!isRunning && !isBeginning && firstSteps}
      {isFilled ? (
        <>
          <div className={styles.grid} data-rows={isBeginning ? 'many' : rowsOf(overview)}>
            {isBeginning ? (
              <div className={styles.steps}>{firstSteps}</div>
            ) : (
              <AttentionCard {...{ overview, isStale, narrowing }} />
            )}
            <MembersCard members={members} isStale={isStale} />
            <AccountCard overview={overview} />
          </div>
          <NetworksCard {...{ overview, isStale, narrowing }} />
          <PresenceCard overview={overview} isStale={isStale} />
        </>
      ) : (
        <>
          {overview.attention.count > 0 && <AttentionCard {...{ overview, isStale, narrowing }} />}
          {overview.networks.length > 0 && <NetworksCard {...{ overview, isStale, narrowing }} />}
        </>
      )}
      {isRunning && firstSteps}
    </>
  )
}
