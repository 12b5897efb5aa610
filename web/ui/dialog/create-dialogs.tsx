import { type ComponentType, createContext, type ReactNode, useContext, useState } from 'react'

/* Dialogs of one page by kind: a provider, and a hook that opens them. */

interface DialogFrame {
  /** Object that the dialog was opened on, such as a row of the page's table. */
  readonly subject: string
  readonly onClose: () => void
}

interface DialogProviderProps<Kind extends string, Props> {
  /** One component for each kind; lazyDialog() makes one that loads when opened. */
  readonly table: Readonly<Record<Kind, ComponentType<Props & DialogFrame>>>
  /** Props of every dialog of the table, beside its frame. */
  readonly props: Props
  readonly onOpen?: (kind: Kind) => void
  readonly children: ReactNode
}

/**
 * `DialogProvider` stands around the page, and `useOpenDialog()` inside it gives `open(kind, subject)`. A dialog that opens
 * another stays below it.
 */
export function createDialogs<Kind extends string, Props extends object>() {
  const OpenDialog = createContext<(kind: Kind, subject?: string) => void>(() => {
    throw new Error('no DialogProvider around this component')
  })

  function DialogProvider({ table, props, onOpen, children }: DialogProviderProps<Kind, Props>) {
    const [opened, setOpened] = useState<readonly { readonly kind: Kind; readonly subject: string }[]>([])
    const open = (kind: Kind, subject = '') => {
      onOpen?.(kind)
      setOpened((now) => [...now.filter((other) => other.kind !== kind), { kind, subject }])
    }
    const close = (kind: Kind) => setOpened((now) => now.filter((other) => other.kind !== kind))
    return (
      <OpenDialog.Provider value={open}>
        {children}
        {opened.map(({ kind, subject }) => {
          const Dialog: ComponentType<Props & DialogFrame> = table[kind]
          return <Dialog key={kind} {...props} subject={subject} onClose={() => close(kind)} />
        })}
      </OpenDialog.Provider>
    )
  }

  return { DialogProvider, useOpenDialog: () => useContext(OpenDialog) }
}
