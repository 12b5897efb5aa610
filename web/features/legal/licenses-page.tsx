import useSWR from 'swr'
import { networkError } from '#lib/call/transport.ts'
import { ErrorState } from '#ui/state/page-states.tsx'
import styles from './legal.module.css'

/* Page of third-party licences: code in the bundle whose licences ask to be named. */

/** Package of the bundle, as the build writes it (infra/local/licenses.ts). */
interface LicenseEntry {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly home: string | null
  readonly text: string | null
}

/** TradingView's NOTICE asks for this name and this address; the charts then carry no logo. */
const CHARTS = {
  name: 'lightweight-charts',
  title: 'TradingView Lightweight Charts™',
  home: 'https://www.tradingview.com/',
  copyright: 'Copyright (c) TradingView, Inc.',
} as const

async function loadLicenses(path: string): Promise<readonly LicenseEntry[]> {
  const response = await fetch(path).catch(() => null)
  if (!response?.ok) throw networkError()
  return (await response.json()) as readonly LicenseEntry[]
}

export function LicensesPage() {
  const { data, error, mutate } = useSWR('/licenses.json', loadLicenses, { shouldRetryOnError: false })
  return (
    <article className={styles.article}>
      <h1>开源声明</h1>
      <p>本控制台使用了以下开源软件，感谢它们的作者。各软件的版权归其作者所有，并按各自的许可证使用。</p>
      <p translate="no">
        <a href={CHARTS.home} target="_blank" rel="noopener noreferrer">
          {CHARTS.title}
        </a>{' '}
        {CHARTS.copyright}
      </p>
      {error !== undefined && <ErrorState error={error} onRetry={() => void mutate()} />}
      <dl className={styles.licenses} translate="no">
        {data?.map((entry) => (
          <Entry key={`${entry.name}@${entry.version}`} {...entry} />
        ))}
      </dl>
    </article>
  )
}

function Entry({ name, version, license, home, text }: LicenseEntry) {
  const address = name === CHARTS.name ? CHARTS.home : home
  return (
    <div>
      <dt>
        {address === null ? (
          name
        ) : (
          <a href={address} target="_blank" rel="noopener noreferrer">
            {name}
          </a>
        )}{' '}
        {version}
      </dt>
      <dd>
        {text === null ? (
          license
        ) : (
          <details>
            <summary>{license}</summary>
            <pre lang="en">{text}</pre>
          </details>
        )}
      </dd>
    </div>
  )
}
