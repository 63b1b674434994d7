// docs/dialects.md, written from the tables the translation itself uses.
import { DIALECTS, type Dialect } from '../../core/contract/kinds'
import { dialectModules } from '../../core/dialects/dialects'
import { DIALECT_LABELS } from '../../core/dialects/translate'
import type { FieldRule } from '../../core/dialects/translation'

const INTRO = `# Dialects

Any client dialect reaches any upstream dialect. Where both sides speak the same one, the body passes through as it came: only the
value of \`model\` is replaced, and unknown fields, big numbers and the order of everything survive.

Where they differ, the request is translated through one canonical form. Nothing a user would miss is lost in silence: what a field
becomes on its way is decided here, field by field, and a test holds this table to the code.

| word | meaning |
| --- | --- |
| carried | same name, same value |
| mapped | said in the other dialect's words |
| dropped | left out because that is harmless, and named in the answer's \`x-breakwater-dropped\` header |
| refused | a 400 that names the field, because leaving it out would change what the answer means |

A field that is not listed is dropped and named. A value that says nothing (a default) is left out without a word.

What an upstream would refuse for its form alone is put right on the way. A tool whose name is too long or holds other characters than
the upstream takes gets another name there, and its own back in the answer. Ids of calls that are too long are shortened. OpenAI takes no
limit below 16 tokens in Responses, and no JSON mode where no message holds the word "JSON": the limit is raised, the word is added. More
stop words than OpenAI (4) or Gemini (5) take are refused.

What crosses in answers: text, refusals, reasoning, tool calls in parallel and in pieces, images, why the model stopped, and token
counts with their cached and reasoning parts. A reasoning signature is opaque and returns to its issuer only; on the way through another
dialect it travels as \`bw1:<issuer>:<signature>\` in the field that dialect has for such things.
`

export function dialectsPage(): string {
  return [INTRO, ...DIALECTS.map(section)].join('\n')
}

function section(dialect: Dialect): string {
  const others = DIALECTS.filter((other) => other !== dialect)
  const rules = dialectModules[dialect].translation?.fields ?? []
  const head = `| field | ${others.map((other) => `to ${DIALECT_LABELS[other]}`).join(' | ')} | note |`
  const line = `| --- |${' --- |'.repeat(others.length)} --- |`
  return [
    `## From ${DIALECT_LABELS[dialect]} (\`${dialect}\`)`,
    '',
    head,
    line,
    ...rules.map((rule) => row(rule, others)),
    '',
  ].join('\n')
}

const row = ({ field, to, note = '', harmless = [] }: FieldRule, others: readonly Dialect[]): string => {
  const silent =
    harmless.length === 0 ? '' : ` Says nothing: ${harmless.map((value) => `\`${JSON.stringify(value)}\``).join(', ')}.`
  return `| \`${field}\` | ${others.map((other) => to[other] ?? 'mapped').join(' | ')} | ${(note + silent).trim().replaceAll('|', '\\|')} |`
}
