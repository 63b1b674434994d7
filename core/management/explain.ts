// "Paste an error": what it proves, and what would follow from it with the settings and rules in force.
import type { ExplainedFailure } from '../contract/explain'
import type { OperationInput } from '../contract/operations'
import { explainFailure } from '../resilience/verdict/explain'
import type { Parts } from './parts'

export const explainOperations = ({
  book,
  clock,
  resilience,
  rules,
}: Pick<Parts, 'book' | 'clock' | 'resilience' | 'rules'>) => ({
  'failures:explain': async (input: OperationInput<'failures:explain'>): Promise<ExplainedFailure> =>
    explainFailure(
      { ...input, now: input.now ?? clock.now() },
      {
        timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
        settings: resilience.snapshot(),
        operator: rules.snapshot(),
        provider: (idOrAlias) => book.row(idOrAlias),
      },
    ),
})
