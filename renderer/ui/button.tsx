import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { Tooltip } from './tooltip'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: 'default' | 'primary' | 'quiet' | 'danger'
  readonly small?: boolean
  readonly icon?: ReactNode
  readonly ref?: Ref<HTMLButtonElement>
}

const classOf = (parts: readonly (string | false | undefined)[]) => parts.filter(Boolean).join(' ')

export function Button({ look = 'default', small = false, icon, className, children, ref, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      ref={ref}
      className={classOf(['button', look !== 'default' && `button--${look}`, small && 'button--small', className])}
    >
      {icon}
      {children}
    </button>
  )
}

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon'> {
  /** What it does: the accessible name and the tooltip. */
  readonly label: string
  readonly children: ReactNode
}

export function IconButton({ label, small = true, look = 'quiet', className, children, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <Button {...rest} look={look} small={small} aria-label={label} className={classOf(['button--icon', className])}>
        {children}
      </Button>
    </Tooltip>
  )
}
