import './wizard.css'
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { HealthSummary } from '../../app/health-summary'
import { BrandMark } from '../../app/sidebar'
import { useUi } from '../../app/ui-state'
import { Button } from '../../ui/button'
import { changeSetting } from '../settings/change'
import { StepAddress } from './step-address'
import { StepConnection } from './step-connection'
import { StepSend } from './step-send'
import { StepTest } from './step-test'
import { StepTool } from './step-tool'
import { nextOf, previousOf, STEPS, type Step } from './wizard-place'
import { goTo, resetWizard, useWizard } from './wizard-state'

const TITLES: Readonly<Record<Step, string>> = {
  address: 'Address and key',
  connection: 'Add a connection',
  test: 'Test it live',
  tool: 'Set up your tool',
  send: 'Send a first request',
}

/** Closes the first run, finished or not, and does not open it by itself again. */
export function leaveWizard(finished: boolean): void {
  useUi.setState({ wizard: 'closed' })
  if (finished) resetWizard()
  void changeSetting('wizardDone', true)
}

export function Wizard() {
  const step = useWizard(({ step }) => step)
  const heading = useRef<HTMLHeadingElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step begins at its title
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
  }, [step])
  return (
    <div className="window">
      <aside className="sidebar wizard__side" aria-label="State and steps">
        <HealthSummary />
        <nav aria-label="First steps">
          <ol className="steps">
            {STEPS.map((each, index) => (
              <li key={each}>
                <button
                  type="button"
                  className="sidebar__entry steps__entry"
                  aria-current={each === step ? 'step' : undefined}
                  onClick={() => goTo(each)}
                >
                  <span className="steps__number" data-passed={index < STEPS.indexOf(step)}>
                    {index + 1}
                  </span>
                  <span className="sidebar__label">{TITLES[each]}</span>
                </button>
              </li>
            ))}
          </ol>
        </nav>
        <div className="sidebar__foot" aria-hidden="true">
          <BrandMark />
          <span className="sidebar__label">Breakwater</span>
        </div>
      </aside>
      <main className="content wizard">
        <header className="page__head">
          <h1 className="grow truncate wizard__title" ref={heading} tabIndex={-1}>
            {TITLES[step]}
          </h1>
          <Button
            look="quiet"
            icon={<X size={16} strokeWidth={1.75} aria-hidden="true" />}
            onClick={() => leaveWizard(false)}
          >
            Leave set-up
          </Button>
        </header>
        <CurrentStep step={step} />
      </main>
    </div>
  )
}

function CurrentStep({ step }: { readonly step: Step }) {
  switch (step) {
    case 'address':
      return <StepAddress />
    case 'connection':
      return <StepConnection />
    case 'test':
      return <StepTest />
    case 'tool':
      return <StepTool />
    case 'send':
      return <StepSend />
  }
}

interface StepFrameProps {
  readonly step: Step
  readonly intro: string
  /** The right end of the foot: Next, Finish. */
  readonly primary: ReactNode
  readonly children: ReactNode
}

/** What every step has: a sentence, its content, and the way back, past and on. */
export function StepFrame({ step, intro, primary, children }: StepFrameProps) {
  const previous = previousOf(step)
  const next = nextOf(step)
  return (
    <>
      <div className="wizard__body">
        <div className="wizard__column stack stack--loose">
          <p className="muted">{intro}</p>
          {children}
        </div>
      </div>
      <footer className="wizard__foot">
        {previous !== null && (
          <Button look="quiet" className="wizard__back" onClick={() => goTo(previous)}>
            Back
          </Button>
        )}
        <span className="grow" />
        {next !== null && (
          <Button look="quiet" onClick={() => goTo(next)}>
            Skip
          </Button>
        )}
        {primary}
      </footer>
    </>
  )
}

interface NextProps {
  readonly step: Step
  readonly primary?: boolean
}
export function NextButton({ step, primary = true }: NextProps) {
  const next = nextOf(step)
  return (
    <Button look={primary ? 'primary' : 'default'} onClick={() => next !== null && goTo(next)}>
      Next
    </Button>
  )
}
