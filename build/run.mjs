// Every npm script comes through here: brings the machine to where the task can run, then runs it. Uses nothing but
// what Node itself brings, for on a fresh clone there is nothing else.
import { SetUpError, sayOnStderr } from './context.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { ensureNode, withNode } from './node-runtime.mjs'

const TASKS = [
  'start',
  'gateway',
  'test',
  'dev',
  'build',
  'check',
  'bench',
  'bench-strategies',
  'explain',
  'screenshots',
  'dist',
  'test-installed',
  'test-tools',
]

async function main([task, ...args]) {
  if (!TASKS.includes(task)) throw new SetUpError(`There is no task "${task}". Tasks: ${TASKS.join(', ')}.`)
  if (task === 'gateway' || task === 'explain') sayOnStderr()
  const { perform, reportFailedSetUp } = await import(`./tasks/${task}.mjs`)
  try {
    const node = await ensureNode()
    const env = withNode(node)
    await ensureDependencies(env)
    return await perform({ node, env, args })
  } catch (error) {
    tell(error)
    reportFailedSetUp?.()
    return 1
  }
}

function tell(error) {
  process.stderr.write(`${error instanceof SetUpError ? error.message : error.stack}\n`)
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code ?? 0
  },
  (error) => {
    tell(error)
    process.exitCode = 1
  },
)
