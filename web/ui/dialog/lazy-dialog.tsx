import { type ComponentType, type FunctionComponent, useEffect, useState } from 'react'
import { networkError } from '#lib/call/transport.ts'
import { Dialog } from './dialog.tsx'
import { ErrorState } from '#ui/state/page-states.tsx'

/**
 * Puts a dialog into a chunk of its own. A failed load shows a dialog with a retry; with React.lazy the failure would stay
 * in the error boundary of the page.
 */
export function lazyDialog<Props extends { readonly onClose: () => void }>(
  load: () => Promise<ComponentType<Props>>,
): FunctionComponent<Props> {
  let known: ComponentType<Props> | null = null
  return function LazyDialog(props: Props) {
    const [Loaded, setLoaded] = useState(() => known)
    const [tries, setTries] = useState(1)
    const [failedTry, setFailedTry] = useState(0) // 0: no failure
    useEffect(() => {
      if (known !== null) return setLoaded(() => known) // loaded since the first render
      load().then(
        (dialog) => {
          known = dialog
          setLoaded(() => known)
        },
        () => setFailedTry(tries),
      )
    }, [tries])
    if (Loaded !== null) return <Loaded {...props} />
    if (failedTry < tries) return null
    return (
      <Dialog title="加载失败" widthPx={440} onClose={props.onClose}>
        <ErrorState error={networkError()} onRetry={() => setTries(tries + 1)} />
      </Dialog>
    )
  }
}
