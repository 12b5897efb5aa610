import Button from '@douyinfe/semi-ui/lib/es/button'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { publicPaths } from '#lib/public-paths.ts'
import { Segmented } from '#ui/form/segmented.tsx'
import { MainArea } from '#ui/layout/main-area.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { useTheme } from '#ui/layout/theme.ts'
import styles from './kit.module.css'
import { type Pattern, PATTERNS } from './patterns.tsx'
import { ChartSamples, HISTORY_SAMPLES, NUMBER_SAMPLES } from './samples/chart-samples.tsx'
import { CHOICE_SAMPLES, FORM_SAMPLES } from './samples/form-samples.tsx'
import { DialogSamples, LAYOUT_SAMPLES, SidePanelSample } from './samples/layout-samples.tsx'
import { PasteSample } from './samples/paste-sample.tsx'
import type { Samples } from './samples/sample.tsx'
import { CONTENT_SAMPLES, NoticeSamples, STATUS_SAMPLES } from './samples/state-samples.tsx'

/* Page of all UI components in their main states, for manual review and the screenshots of the browser suite. Local only. */

const panels = (samples: Samples) => (
  <div className={styles.grid}>
    {Object.entries(samples).map(([title, content]) => (
      <Panel key={title} title={title}>
        {content}
      </Panel>
    ))}
  </div>
)

const SECTIONS: Samples = {
  状态: panels(STATUS_SAMPLES),
  通知: <NoticeSamples />,
  '空、出错与进度': panels(CONTENT_SAMPLES),
  文本与操作: panels(LAYOUT_SAMPLES),
  侧边面板: <SidePanelSample />,
  对话框: <DialogSamples />,
  表单: panels(FORM_SAMPLES),
  选择: panels(CHOICE_SAMPLES),
  粘贴: panels({ 读作: <PasteSample /> }),
  数字: panels(NUMBER_SAMPLES),
  状态变化: panels(HISTORY_SAMPLES),
  图表: <ChartSamples />,
}

export function KitPage() {
  const [query] = useSearchParams()
  const pattern = PATTERNS.find(({ id }) => id === query.get('pattern'))
  return <div className={styles.page}>{pattern === undefined ? <Components /> : <PatternPage {...pattern} />}</div>
}

function Components() {
  const { toggle } = useTheme()
  return (
    <MainArea>
      <PageHeader
        title="界面组件"
        trail={[{ label: '控制台', to: publicPaths.home }]}
        facts={PATTERNS.map(({ id, title }) => (
          <Link key={id} to={`?pattern=${id}`}>
            {title}
          </Link>
        ))}
        actions={<Button onClick={toggle}>切换主题</Button>}
      />
      {Object.entries(SECTIONS).map(([title, content]: readonly [string, ReactNode]) => (
        <section key={title}>
          <h2>{title}</h2>
          {content}
        </section>
      ))}
    </MainArea>
  )
}

function PatternPage({ id, Page, contents }: Pattern) {
  const [query, setQuery] = useSearchParams()
  const rows = contents.find(({ value }) => value === query.get('rows'))?.value ?? contents[0].value
  return (
    <>
      <nav className={`nl-flow ${styles.patterns}`} aria-label="组件与内容">
        <Link to="?">界面组件</Link>
        <Segmented
          label="内容"
          value={rows}
          options={contents}
          onChange={(next) => setQuery({ pattern: id, rows: next })}
        />
      </nav>
      <MainArea>
        <Page key={rows} rows={rows} />
      </MainArea>
    </>
  )
}
