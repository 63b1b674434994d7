import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { CallInput } from '../../core/contract/ipc'
import { Button, IconButton } from '../ui/button'
import { showToast } from '../ui/toast-store'
import { call } from './client'

type What = CallInput<'clipboard:copy'>
const SHOWN_MS = 1600

/** Copying goes through the main process: what has a key in it never enters the window. */
function useCopy(what: What): { copied: boolean; copy: () => void } {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    const answer = await call('clipboard:copy', what)
    if (answer.ok && answer.value.copied) setCopied(true)
    else showToast({ text: answer.ok ? answer.value.why : answer.error.message, bad: true })
  }
  return { copied, copy: () => void copy() }
}

interface CopyProps {
  readonly what: What
  readonly label: string
  readonly look?: 'default' | 'primary' | 'quiet'
  readonly small?: boolean
}

export function CopyButton({ what, label, look = 'default', small = false }: CopyProps) {
  const { copied, copy } = useCopy(what)
  const Icon = copied ? Check : Copy
  return (
    <Button look={look} small={small} onClick={copy} icon={<Icon size={16} strokeWidth={1.75} aria-hidden="true" />}>
      <span aria-live="polite">{copied ? 'Copied' : label}</span>
    </Button>
  )
}

export function CopyIcon({ what, label }: Pick<CopyProps, 'what' | 'label'>) {
  const { copied, copy } = useCopy(what)
  const Icon = copied ? Check : Copy
  return (
    <IconButton label={copied ? 'Copied' : label} onClick={copy}>
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
    </IconButton>
  )
}
