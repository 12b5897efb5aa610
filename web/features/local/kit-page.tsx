import Button from '@douyinfe/semi-ui/lib/es/button'
import { type ComponentType, type ReactNode, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { MAIN_ID } from '#ui/layout/main-area.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Segmented } from '#ui/form/segmented.tsx'
import { type ThemeChoice, useTheme } from '#ui/layout/theme.ts'
import styles from './kit.module.css'
import { ChartSamples } from './samples/chart-samples.tsx'
import { ChoiceSamples } from './samples/choice-samples.tsx'
import { DialogSamples } from './samples/dialog-samples.tsx'
import { ExportSamples } from './samples/export-samples.tsx'
import { FormSamples } from './samples/form-samples.tsx'
import { HistorySamples } from './samples/history-samples.tsx'
import { PanelSamples } from './samples/panel-samples.tsx'
import { PresenceSamples } from './samples/presence-samples.tsx'
import { RunSamples } from './samples/run-samples.tsx'
import { SeriesSamples } from './samples/series-samples.tsx'
import { StateSamples } from './samples/state-samples.tsx'
import { StatusSamples } from './samples/status-samples.tsx'
import { TableSample } from './samples/table-sample.tsx'
import { TextSamples } from './samples/text-samples.tsx'
import { UploadSamples } from './samples/upload-samples.tsx'
import { TileSamples } from './samples/tile-samples.tsx'
import { DetailPattern } from './patterns/detail-pattern.tsx'
import { LIST_CONTENTS, ListPattern } from './patterns/list-pattern.tsx'
import { SettingsPattern } from './patterns/settings-pattern.tsx'
import { WIZARD_CONTENTS, WizardPattern } from './patterns/wizard-pattern.tsx'
import { WizardSample } from './samples/wizard-sample.tsx'
import { publicPaths } from '#lib/public-paths.ts'

const SECTIONS: readonly { readonly id: string; readonly title: string; readonly content: ReactNode }[] = [
  { id: 'status', title: '状态', content: <StatusSamples /> },
  { id: 'history', title: '状态变化', content: <HistorySamples /> },
  { id: 'text', title: '文本', content: <TextSamples /> },
  { id: 'tiles', title: '通知与数字', content: <TileSamples /> },
  { id: 'presence', title: '在线情况', content: <PresenceSamples /> },
  { id: 'panel', title: '操作与面板', content: <PanelSamples /> },
  { id: 'table', title: '列表', content: <TableSample /> },
  { id: 'states', title: '空与错误', content: <StateSamples /> },
  { id: 'dialogs', title: '对话框', content: <DialogSamples /> },
  { id: 'forms', title: '表单', content: <FormSamples /> },
  { id: 'choice', title: '多选', content: <ChoiceSamples /> },
  { id: 'wizard', title: '向导', content: <WizardSample /> },
  { id: 'upload', title: '上传与批量结果', content: <UploadSamples /> },
  { id: 'export', title: '修改前后与导出', content: <ExportSamples /> },
  { id: 'run', title: '运行进度与密钥', content: <RunSamples /> },
  { id: 'chart', title: '图表', content: <ChartSamples /> },
  { id: 'series', title: '多条曲线与占比', content: <SeriesSamples /> },
]

const THEMES: readonly { readonly value: ThemeChoice; readonly label: string }[] = [
  { value: 'light', label: '浅色' },
  { value: 'dark', label: '深色' },
  { value: 'system', label: '跟随系统' },
]

const TEXTS = [
  { value: '', label: '示例' },
  { value: 'long', label: '长文本' },
] as const

/** One page of each pattern, so that further pages of it look and behave alike. */
const PATTERNS: readonly {
  readonly id: string
  readonly title: string
  readonly Page: ComponentType
  readonly contents: Parameters<typeof PatternSwitches>[0]['contents']
}[] = [
  { id: 'list', title: '列表页', Page: ListPattern, contents: LIST_CONTENTS },
  { id: 'detail', title: '详情页', Page: DetailPattern, contents: TEXTS },
  { id: 'settings', title: '设置页', Page: SettingsPattern, contents: TEXTS },
  { id: 'wizard', title: '向导页', Page: WizardPattern, contents: WIZARD_CONTENTS },
]

/** All UI components in all states, for manual review and the screenshots of the browser suite. Local only. */
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
          {SECTIONS.map(({ id, title, content }) => (
            <section key={id} id={id} aria-labelledby={`${id}-title`}>
              <h2 id={`${id}-title`}>{title}</h2>
              {content}
            </section>
          ))}
        </main>
      </div>
    </div>
  )
}

const ACCENTS = [
  { value: '#0b6bcb', label: '蓝' },
  { value: '#d7000f', label: '红' },
  { value: '#00a870', label: '绿' },
  { value: '#f5a200', label: '橙' },
] as const

/** Previews the page in another host's brand colour. */
function AccentSwitch() {
  const [accent, setAccent] = useState<string>(ACCENTS[0].value)
  const apply = (next: string) => {
    setAccent(next)
    document.documentElement.style.setProperty('--netloom-accent', next)
  }
  return <Segmented<string> label="品牌色" value={accent} options={ACCENTS} onChange={apply} />
}

interface PatternSwitchesProps {
  /** Contents of the pattern, by `rows` in the address; the first is the default. */
  readonly contents: readonly { readonly value: string; readonly label: string }[]
}

/** Switch of a pattern's contents, and a button for a window as wide as a phone: media queries ask the window. */
function PatternSwitches({ contents }: PatternSwitchesProps) {
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
