import SemiSelect from '@douyinfe/semi-ui/lib/es/select'
import { cloneElement } from 'react'

/**
 * Semi's select, corrected for screen readers: its name is the label alone, where Semi adds "selected". The active option
 * is named only while the list is open, because only then its id exists.
 */
export class Select extends SemiSelect {
  override renderSelection() {
    const trigger = super.renderSelection()
    const unnamed = { 'aria-label': undefined }
    return cloneElement(trigger, this.state.isOpen ? unnamed : { ...unnamed, 'aria-activedescendant': undefined })
  }
}
