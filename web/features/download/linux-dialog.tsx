import Button from '@douyinfe/semi-ui/lib/es/button'
import { useId, useState } from 'react'
import {
  LINUX_DISTRIBUTIONS,
  LINUX_PANELS,
  type LinuxDistribution,
  type LinuxPanel,
  type Versions,
} from '#contract/download/index.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Select } from '#ui/form/inputs/select-field.tsx'
import { Segmented } from '#ui/form/segmented.tsx'
import styles from './build-facts.module.css'
import { BuildFacts, BuildLink, Unpublished } from './build-facts.tsx'
import { DISTRIBUTION_NAME, PANEL_NAME } from './platform-text.ts'

/* Dialog of the Linux builds by panel and distribution (directory 2): opens on the first panel that has a build for CentOS. */

const PANELS = LINUX_PANELS.map((value) => ({ value, label: PANEL_NAME[value] }))
const DISTRIBUTIONS = LINUX_DISTRIBUTIONS.map((value) => ({ value, label: DISTRIBUTION_NAME[value] }))

export function LinuxDialog({ linux, onClose }: { linux: Versions['linux']; onClose: () => void }) {
  const [panel, setPanel] = useState<LinuxPanel>(
    () => LINUX_PANELS.find((one) => linux[one][LINUX_DISTRIBUTIONS[0]] !== null) ?? LINUX_PANELS[0],
  )
  const [distribution, setDistribution] = useState<LinuxDistribution>(LINUX_DISTRIBUTIONS[0])
  const label = useId()
  const build = linux[panel][distribution]
  const other = LINUX_PANELS.find((one) => one !== panel && linux[one][distribution] !== null)
  return (
    <Dialog
      title="Linux 客户端"
      onClose={onClose}
      footer={
        <>
          <Button onClick={() => onClose()}>取消</Button>
          {build !== null && <BuildLink build={build} label="下载 Linux 客户端" />}
        </>
      }
    >
      <div className={styles.choice}>
        <span>选择版本</span>
        <Segmented label="选择版本" value={panel} options={PANELS} onChange={setPanel} />
        <span id={label}>应用平台</span>
        <Select
          value={distribution}
          onChange={(value) => setDistribution(value as LinuxDistribution)}
          motion={false}
          optionList={DISTRIBUTIONS}
          aria-labelledby={label}
        />
      </div>
      <div className={styles.build} aria-live="polite">
        {build !== null && <BuildFacts build={build} />}
        {build === null && <Unpublished />}
        {build === null && other !== undefined && <p className="nl-muted">可以选择{PANEL_NAME[other]}版本</p>}
      </div>
    </Dialog>
  )
}
