import Button from '@douyinfe/semi-ui/lib/es/button'
import { Fragment, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { MAIN_ID } from '#ui/layout/main-area.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Segmented } from '#ui/form/segmented.tsx'
import { type ThemeChoice, useTheme } from '#ui/layout/theme.ts'
import { publicPaths } from '#lib/public-paths.ts'
import { Panel } from '#ui/layout/panel.tsx'
import styles from './kit.module.css'
import { PATTERNS } from './patterns.tsx'
import {
  ChartSamples,
  HistorySamples,
  NUMBER_SAMPLES,
  PresenceSamples,
  SeriesSamples,
} from './samples/chart-samples.tsx'
import { CHOICE_SAMPLES, FORM_SAMPLES } from './samples/form-samples.tsx'
import { DIALOG_SAMPLES, LAYOUT_SAMPLES } from './samples/layout-samples.tsx'
import { CONTENT_SAMPLES, NOTICE_SAMPLES, STATUS_SAMPLES } from './samples/state-samples.tsx'
import type { Sample } from './samples/sample.tsx'

/* Page of all UI components in all states, for manual review and the screenshots of the browser suite. Local only. */

interface Section {
  readonly id: string
  readonly title: string
  readonly samples: readonly Sample[]
  /** Columns of the section; by default each sample has the whole width. */
  readonly className?: string | undefined
}

const SECTIONS: readonly Section[] = [
  { id: 'status', title: '状态', className: styles.grid, samples: STATUS_SAMPLES },
  { id: 'history', title: '状态变化', samples: [{ content: <HistorySamples /> }] },
  { id: 'presence', title: '在线情况', samples: [{ content: <PresenceSamples /> }] },
  { id: 'notices', title: '通知', samples: NOTICE_SAMPLES },
  { id: 'contents', title: '空、出错与进度', className: styles.grid, samples: CONTENT_SAMPLES },
  { id: 'layout', title: '文本、操作与面板', samples: LAYOUT_SAMPLES },
  { id: 'dialogs', title: '对话框', samples: DIALOG_SAMPLES },
  { id: 'forms', title: '表单', className: styles.forms, samples: FORM_SAMPLES },
  { id: 'choice', title: '选择', className: styles.forms, samples: CHOICE_SAMPLES },
  { id: 'numbers', title: '数字', samples: NUMBER_SAMPLES },
  { id: 'chart', title: '图表', samples: [{ content: <ChartSamples /> }] },
  { id: 'series', title: '多条曲线与占比', samples: [{ content: <SeriesSamples /> }] },
]

const THEMES: readonly { readonly value: ThemeChoice; readonly label: string }[] = [
  { value: 'light', label: '浅色' },
  { value: 'dark', label: '深色' },
  { value: 'system', label: '跟随系统' },
]

export function KitPage() {
  const [query] = useSearchParams()
  const pattern = PATTERNS.find(({ id }) => id === query.get('pattern'))
  if (pattern === undefined) return <Components />
  return (
    <div className={styles.page}>
      <nav className={styles.patterns} aria-label="组件与主题">
        <Link to="?">界面组件</Link>
        <PatternSwitches contents={pattern.contents} />
        <ThemeChooser />
      </nav>
      <main id={MAIN_ID} tabIndex={-1}>
        <pattern.Page />
      </main>
    </div>
  )
}

function ThemeChooser() {
  const { choice, setChoice } = useTheme()
  return <Segmented label="主题" value={choice} options={THEMES} onChange={setChoice} />
}

function Components() {
  return (
    <div className={styles.page}>
      <PageHeader
        title="界面组件"
        trail={[{ label: '控制台', to: publicPaths.home }]}
        facts={
          <>
            <span>控制台的每个页面都由这些组件构成。整页的样式：</span>
            {PATTERNS.map(({ id, title }) => (
              <Link key={id} to={`?pattern=${id}`}>
                {title}
              </Link>
            ))}
          </>
        }
        actions={
          <>
            <AccentSwitch />
            <ThemeChooser />
          </>
        }
      />
      <div className={styles.columns}>
        <nav className={styles.nav} aria-label="组件目录">
          {SECTIONS.map(({ id, title }) => (
            <a key={id} href={`#${id}`}>
              {title}
            </a>
          ))}
        </nav>
        <main className={styles.sections}>
          {SECTIONS.map(({ id, title, className, samples }) => (
            <section key={id} id={id} aria-labelledby={`${id}-title`}>
              <h2 id={`${id}-title`}>{title}</h2>
              <div className={className}>{samples.map(toPanel)}</div>
            </section>
          ))}
        </main>
      </div>
    </div>
  )
}

const toPanel = ({ title, content }: Sample, place: number) =>
  title === undefined ? (
    <Fragment key={place}>{content}</Fragment>
  ) : (
    <Panel key={place} title={title}>
      {content}
    </Panel>
  )

const ACCENTS = [
  { value: '#0b6bcb', label: '蓝' },
  { value: '#d7000f', label: '红' },
  { value: '#00a870', label: '绿' },
  { value: '#f5a200', label: '橙' },
] as const

function AccentSwitch() {
  const [accent, setAccent] = useState<string>(ACCENTS[0].value)
  const apply = (next: string) => {
    setAccent(next)
    document.documentElement.style.setProperty('--netloom-accent', next)
  }
  return <Segmented<string> label="品牌色" value={accent} options={ACCENTS} onChange={apply} />
}

/** Switch of a pattern's contents, and a button for a window as wide as a phone: media queries ask the window. */
function PatternSwitches({ contents }: { contents: (typeof PATTERNS)[number]['contents'] }) {
  const [query, setQuery] = useSearchParams()
  const value = contents.find((content) => content.value === query.get('rows'))?.value ?? contents[0]?.value ?? ''
  const choose = (rows: string) => setQuery({ pattern: query.get('pattern') ?? '', rows })
  return (
    <>
      <Segmented<string> label="内容" value={value} options={contents} onChange={choose} />
      <Button onClick={() => open(location.href, 'kit-390', 'popup,width=390,height=844')}>390 px 窗口</Button>
    </>
  )
}
