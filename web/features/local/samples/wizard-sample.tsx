import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { Panel } from '#ui/layout/panel.tsx'
import { Segmented } from '#ui/form/segmented.tsx'
import { Wizard, WizardDone } from '#ui/layout/wizard.tsx'

const STEPS = ['验证身份', '修改密码', '完成']

export function WizardSample() {
  const [step, setStep] = useState(1)
  return (
    <Panel
      title="修改密码"
      actions={
        <Segmented<string>
          label="当前步骤"
          value={String(step)}
          onChange={(next) => setStep(Number(next))}
          options={STEPS.map((label, index) => ({ value: String(index), label }))}
        />
      }
    >
      <Wizard steps={STEPS} step={step} {...(step === 1 && { onBack: () => setStep(0) })}>
        {step === 2 ? (
          <WizardDone title="修改成功">
            <Button theme="solid" type="primary" onClick={() => setStep(0)}>
              返回用户中心
            </Button>
          </WizardDone>
        ) : (
          <Button theme="solid" type="primary" onClick={() => setStep(step + 1)}>
            下一步
          </Button>
        )}
      </Wizard>
    </Panel>
  )
}
