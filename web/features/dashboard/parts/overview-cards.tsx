import { useSearchParams } from 'react-router'
import type { Overview } from '../../../../worker/contract/overview.ts'
import { useGrants } from '../../../lib/session.ts'
import { hasMembers, toFirstSteps } from '../first-steps.ts'
import { type Staleness, isStale as isStaleness } from '../staleness.ts'
import { toNarrowing } from '../status-parts.ts'
import { AccountCard } from './account-card.tsx'
import { AttentionCard } from './attention-card.tsx'
import { FirstStepsCard } from './first-steps-card.tsx'
import { MembersCard } from './members-card.tsx'
import { NetworksCard } from './networks-card.tsx'
import styles from './overview-cards.module.css'
import { PresenceCard } from './presence-card.tsx'
import { StatusLine } from './status-line.tsx'

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
  const steps = toFirstSteps(overview, useGrants())
  const isFilled = hasMembers(overview)
  const isStale = isStaleness(stale)
  return (
    <>
      {(isFilled || overview.attention.count > 0) && <StatusLine overview={overview} stale={stale} shown={show} />}
      {steps !== null && <FirstStepsCard steps={steps} />}
      {isFilled ? (
        <>
          <div className={styles.grid} data-rows={rowsOf(overview)}>
            <AttentionCard {...{ overview, isStale, narrowing }} />
            <MembersCard members={overview.members} isStale={isStale} />
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
    </>
  )
}
