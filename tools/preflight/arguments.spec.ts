import { UsageError } from '@bascule/operator-commands';
import { describe, expect, it } from '@jest/globals';
import { parseEther } from 'viem';
import { readArguments } from './arguments.js';
import { checks } from './checks/index.js';

describe('the arguments of the preflight', () => {
  it('are all checks on the process’s own chains without any', () => {
    expect(readArguments([])).toEqual({ checks, leastBalances: new Map(), json: false });
  });

  it('select checks', () => {
    const namesOf = (...argv: string[]) => readArguments(argv).checks.map(({ name }) => name);
    expect(namesOf('--only', 'nodes, contracts')).toEqual(['nodes', 'contracts']);
    expect(namesOf('--skip', 'nodes')).toEqual(
      checks.map(({ name }) => name).filter((name) => name !== 'nodes'),
    );
    expect(namesOf('--only', 'nodes,topics', '--skip', 'topics')).toEqual(['nodes']);
  });

  it('name least balances in whole coins', () => {
    const { leastBalances } = readArguments(['--least-balance', 'base=0.05,polygon=20']);
    expect(leastBalances).toEqual(
      new Map([
        ['base', parseEther('0.05')],
        ['polygon', parseEther('20')],
      ]),
    );
  });

  it.each([
    [['--environments', 'folder', '--service', 'payment']],
    [['--only', 'everything']],
    [['--least-balance', 'nowhere=1']],
    [['--least-balance', 'base=1e3']],
    [['now']],
    [['--verbose']],
  ])('refuse %j', (argv) => {
    expect(() => readArguments(argv)).toThrow(UsageError);
  });
});
