import { lazy, type ReactNode, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import type { Overview } from '#contract/overview/index.ts'
import { sumStates } from '#domain/health/member.ts'
import { AccountCard } from './account-card.tsx'
import { AttentionCard } from './attention-card.tsx'
import { MembersCard } from './members-card.tsx'
import { NetworksCard } from './networks-card.tsx'
import styles from './overview-cards.module.css'
import { PresenceCard } from './presence-card.tsx'
import { StatusLine } from './status-line.tsx'
import { type CardProps, isStale as isStaleness, type Staleness, toNarrowing } from './status-parts.ts'

/* Cards of the dashboard: faults first, then the numbers. A new customer sees the first steps instead of zeros. */

/** Loaded only for accounts with open steps. If the chunk fails, the page goes without the card. */
const FirstStepsCard = lazy(() =>
  import('./first-steps-card.tsx').then(
    (m) => ({ default: m.FirstStepsCard }),
    () => ({ default: () => null }),
  ),
)

const FEW_ROWS = 4

const rowsOf = ({ attention: { count } }: Overview): 'none' | 'few' | 'many' =>
  count === 0 ? 'none' : count <= FEW_ROWS ? 'few' : 'many'

export function OverviewCards({ overview, stale }: { overview: Overview; stale: Staleness }) {
  const [query] = useSearchParams()
  const show = query.get('show')
  const narrowing = toNarrowing(show)
  const { members, first_steps: steps } = overview
  // The numbers are hidden until there is a member, because all of them are zero.
  const isFilled = sumStates(members.hardware) + sumStates(members.software) > 0
  const isDone = (wanted: string) => steps.some(({ step, state }) => step === wanted && state === 'done')
  const isRunning = isDone('network') && isDone('online')
  const firstSteps = steps.length > 0 && (
    <Suspense fallback={null}>
      <FirstStepsCard overview={overview} isRunning={isRunning} />
    </Suspense>
  )
  const isStale = isStaleness(stale)
  const hasAttention = overview.attention.count > 0
  // Without faults, the first steps take their place next to the numbers.
  const isBeside = !isRunning && isFilled && !hasAttention && narrowing === null
  const Cards = isFilled ? FilledCards : EmptyCards
  return (
    <>
      {(isFilled || hasAttention) && <StatusLine overview={overview} stale={stale} shown={show} />}
      {!isRunning && !isBeside && firstSteps}
      <Cards {...{ overview, isStale, narrowing }} beside={isBeside && firstSteps} />
      {isRunning && firstSteps}
    </>
  )
}

interface CardsProps extends CardProps {
  /** First steps, shown in place of the rows that need attention. */
  readonly beside: ReactNode
}

function FilledCards({ beside, ...props }: CardsProps) {
  const { overview, isStale } = props
  return (
    <>
      <div className={styles.grid} data-rows={beside ? 'many' : rowsOf(overview)}>
        {beside ? <div className={styles.steps}>{beside}</div> : <AttentionCard {...props} />}
        <MembersCard members={overview.members} isStale={isStale} />
        <AccountCard overview={overview} />
      </div>
      <NetworksCard {...props} />
      <PresenceCard overview={overview} isStale={isStale} />
    </>
  )
}

function EmptyCards({ overview, isStale, narrowing }: CardsProps) {
  const { attention, networks } = overview
  const props = { overview, isStale, narrowing }
  return (
    <>
      {attention.count > 0 && <AttentionCard {...props} />}
      {networks.length > 0 && <NetworksCard {...props} />}
    </>
  )
}
