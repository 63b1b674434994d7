import { describe, expect, it } from 'vitest'
import { parseArgs, UsageError } from '../../../core/node/parse-args'

describe('the command line', () => {
  it('may be empty', () => {
    expect(parseArgs([])).toEqual({
      flags: {},
      dataDir: null,
      importFile: null,
      exportFile: null,
      newKey: null,
      help: false,
      version: false,
    })
  })

  it('is taken with spaces and with equals signs', () => {
    const spaced = '--port 0 --data-dir /d --import a.json --export b.json --log-level debug --hidden --help --version'
    const given = {
      flags: { port: '0', 'log-level': 'debug', hidden: 'true' },
      dataDir: '/d',
      importFile: 'a.json',
      exportFile: 'b.json',
      newKey: null,
      help: true,
      version: true,
    }
    expect(parseArgs(spaced.split(' '))).toEqual(given)
    expect(parseArgs(spaced.replace(/(--[a-z-]+) (?!--)/g, '$1=').split(' '))).toEqual(given)
  })

  it('makes a key with the scopes it names, each once', () => {
    expect(parseArgs(['--new-key', ' script ']).newKey).toEqual({ name: 'script', scopes: [] })
    const twice = ['--new-key=script', '--scope', 'manage', '--scope=manage']
    expect(parseArgs(twice).newKey).toEqual({ name: 'script', scopes: ['manage'] })
  })
})

describe('what cannot be meant', () => {
  it.each([
    [['--nonsense'], /nonsense/],
    [['stray'], /stray/],
    [['--port'], /port/],
    [['--port', 'abc'], /--port abc: must be a whole number from 0 to 65535/],
    [['--port', '65536'], /--port 65536/],
    [['--port='], /--port/],
    [['--port=-1'], /--port -1/],
    [['--port', '1.5'], /--port/],
    [['--log-level', 'loud'], /--log-level loud: must be one of debug/],
    [['--scope', 'manage'], /--new-key/],
    [['--new-key', 'k', '--scope', 'all'], /--scope all: must be manage/],
    [['--new-key', '  '], /--new-key/],
    [['--new-key', 'x'.repeat(101)], /--new-key/],
    [['--data-dir='], /--data-dir/],
    [['--import='], /--import/],
    [['--hidden=yes'], /hidden/],
  ])('%j is refused in one sentence', (argv, message) => {
    expect(() => parseArgs(argv)).toThrow(UsageError)
    expect(() => parseArgs(argv)).toThrow(message)
    expect(() => parseArgs(argv)).not.toThrow(/\n/)
  })
})
