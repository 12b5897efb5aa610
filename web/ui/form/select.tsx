import SemiSelect from '@douyinfe/semi-ui/lib/es/select'
import { cloneElement } from 'react'

/** Semi's select. Semi's own names its active option while the list is closed, and nothing has that id then. */
export class Select extends SemiSelect {
  override renderSelection() {
    const trigger = super.renderSelection()
    return this.state.isOpen ? trigger : cloneElement(trigger, { 'aria-activedescendant': undefined })
  }
}
