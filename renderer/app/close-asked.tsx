import { useEffect } from 'react'
import type { CallInput } from '../../core/contract/ipc'
import { Ask, AskCancel } from '../ui/ask'
import { Button } from '../ui/button'
import { showToast } from '../ui/toast-store'
import { call } from './client'
import { valueOr } from './loadable'
import { usePushed } from './pushed'
import { useUi } from './ui-state'

type Choice = CallInput<'window:close'>['choice']

function answer(choice: Choice): void {
  useUi.setState({ closeAsked: false })
  void call('window:close', { choice }).then((result) => {
    if (!result.ok) showToast({ text: result.error.message, bad: true })
  })
}

/** The window is being closed where no tray can be seen. */
export function CloseAsked() {
  const asked = useUi(({ closeAsked }) => closeAsked)
  const running = usePushed(({ gateway }) => valueOr(gateway, null)?.running ?? 0)
  if (!asked) return null
  return (
    <Ask
      title="Keep the gateway running?"
      onCancel={() => answer('cancel')}
      actions={
        <>
          <AskCancel asChild>
            <Button look="quiet">Cancel</Button>
          </AskCancel>
          <Button onClick={() => answer('quit')}>Quit</Button>
          <Button look="primary" onClick={() => answer('keep')}>
            Keep running
          </Button>
        </>
      }
    >
      <p>
        This desktop shows no tray icon. If the gateway keeps running, your tools go on working; start Breakwater again
        to bring this window back.
      </p>
      {running > 0 && (
        <p>
          {running === 1 ? '1 request is' : `${running} requests are`} running now. Quitting ends{' '}
          {running === 1 ? 'it' : 'them'}.
        </p>
      )}
    </Ask>
  )
}

/** Said once, the first time the window closes to the tray; seen when it opens again. */
export function TrayHint() {
  const hint = useUi(({ trayHint }) => trayHint)
  useEffect(() => {
    if (!hint) return
    useUi.setState({ trayHint: false })
    showToast({
      text: 'Closing the window keeps the gateway running in the tray. Quit from the tray menu ends it.',
      forMs: 12_000,
    })
  }, [hint])
  return null
}
