import SemiSelect from '@douyinfe/semi-ui/lib/es/select'
import { cloneElement } from 'react'

/**
 * Semi's select, named by its label alone: Semi's own is called "selected" once something is chosen. Its active option is
 * named while the list is open only, since nothing has that id before.
 */
export class Select extends SemiSelect {
  override renderSelection() {
    const trigger = super.renderSelection()
    const unnamed = { 'aria-label': undefined }
    return cloneElement(trigger, this.state.isOpen ? unnamed : { ...unnamed, 'aria-activedescendant': undefined })
  }
}
