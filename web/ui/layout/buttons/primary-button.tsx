import Button, { type ButtonProps } from '@douyinfe/semi-ui/lib/es/button'
import { useNavigate } from 'react-router'

/* Main button of a page, dialog or empty state; the link leads to another page. */

export const PrimaryButton = (props: ButtonProps) => <Button theme="solid" {...props} />

export function PrimaryLink({ to, children }: { readonly to: string; readonly children: string }) {
  const navigate = useNavigate()
  return <PrimaryButton onClick={() => void navigate(to)}>{children}</PrimaryButton>
}
