import IconChevronLeft from '@douyinfe/semi-icons/lib/es/icons/IconChevronLeft'
import IconChevronRight from '@douyinfe/semi-icons/lib/es/icons/IconChevronRight'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { CAROUSEL_MS } from '#contract/kernel/limits.ts'
import { withLinkedName } from '#lib/linked-name.ts'
import { paths } from '#lib/paths.ts'
import { CopyText } from '#ui/layout/text/copy-text.tsx'
import { usePageVisible } from '#ui/hooks/use-media.ts'
import { TruncatedText } from '#ui/layout/text/tooltip.tsx'
import { MEMBER_ROLE_NAME } from '#contract/network/limits.ts'
import { NO_NETWORK, type RouterInfo } from '../router-text.ts'
import styles from './network-carousel.module.css'

/* Networks of a member, one at a time; pauses under the pointer, with focus inside, and while the tab is hidden. */

const NAME_SHOWN = 6 // network 9

export function NetworkCarousel({ networks }: { readonly networks: RouterInfo['network'] }) {
  const [turned, setTurned] = useState(0)
  const [isPointedAt, setPointedAt] = useState(false)
  const [isInside, setInside] = useState(false)
  const isVisible = usePageVisible()
  const count = networks.length
  const index = count === 0 ? 0 : turned % count
  const network = networks[index]
  const isRunning = count > 1 && !isPointedAt && !isInside && isVisible

  useEffect(() => {
    if (!isRunning) return
    const timer = setTimeout(() => setTurned(index + 1), CAROUSEL_MS)
    return () => clearTimeout(timer)
  }, [isRunning, index])

  if (network === undefined) return <p className="nl-muted">{NO_NETWORK}</p>
  const { network_number, network_name, network_member_count, member_type } = network
  return (
    <div
      className={styles.carousel}
      role="group"
      aria-roledescription="轮播"
      aria-label="所属组网"
      onMouseEnter={() => setPointedAt(true)}
      onMouseLeave={() => setPointedAt(false)}
      onFocus={() => setInside(true)}
      onBlur={() => setInside(false)}
    >
      <div className={styles.slide} key={network_number} aria-live={isRunning ? 'off' : 'polite'}>
        <Link to={paths.network(network_number)} state={withLinkedName(network_name)}>
          <TruncatedText text={network_name} max={NAME_SHOWN} />
        </Link>
        <CopyText text={network_number} label="复制组网编号" />
        <span className="nl-muted">
          {MEMBER_ROLE_NAME[member_type]} · 共 {network_member_count} 个成员
        </span>
      </div>
      {count > 1 && (
        <div className={styles.turn}>
          <button type="button" aria-label="上一个组网" onClick={() => setTurned(index + count - 1)}>
            <IconChevronLeft />
          </button>
          <span>
            {index + 1} / {count}
          </span>
          <button type="button" aria-label="下一个组网" onClick={() => setTurned(index + 1)}>
            <IconChevronRight />
          </button>
        </div>
      )}
    </div>
  )
}
